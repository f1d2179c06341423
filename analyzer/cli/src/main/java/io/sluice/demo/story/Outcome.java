package io.sluice.demo.story;

import io.sluice.analyzer.NumberText;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.traffic.Tally;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures of a run.
 *
 * @param noisyCaller the caller that was meant to be locked
 * @param neighbourCount how many others there were
 * @param begin when the traffic began, epoch milliseconds
 * @param noise when the noisy caller's noise began, epoch milliseconds
 * @param quietAgain when the noisy caller backed off, epoch milliseconds; 0 when it had not yet
 * @param agents all gateways, by their agents' names
 * @param locks in the order in which they opened
 * @param reactions of the gateways to the noisy caller's first lock, at most one each
 */
public record Outcome(
        String noisyCaller,
        int neighbourCount,
        long begin,
        long noise,
        long quietAgain,
        Tally noisy,
        Tally neighbours,
        List<String> agents,
        List<SeenLock> locks,
        List<Reaction> reactions,
        Delays delays) {

    /** All requests that were answered. */
    public long requests() {
        return noisy.requests() + neighbours.requests();
    }

    /** The noisy caller's locks. */
    public List<SeenLock> noisyLocks() {
        return locks.stream().filter(lock -> lock.caller().equals(noisyCaller)).toList();
    }

    /** The longest reaction in milliseconds; there must be one. */
    public long slowest() {
        return reactions.stream().mapToLong(Reaction::millis).max().orElseThrow();
    }

    /** The median reaction in milliseconds, the lower of two; there must be one. */
    public long median() {
        return reactions.stream()
                .mapToLong(Reaction::millis)
                .sorted()
                .skip((reactions.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
    }

    /** What did not go as it ought to, a line each; empty when all did. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (noisyLocks().isEmpty()) {
            problems.add("no lock came for " + noisyCaller + ", of which " + NumberText.of(noisy.requests())
                    + " requests were answered; a machine that is busy otherwise may be too slow for its noise");
        } else {
            for (String agent : agents) {
                if (reactions.stream().noneMatch(reaction -> reaction.agent().equals(agent))) {
                    problems.add(agent + " never rejected " + noisyCaller);
                }
            }
        }
        for (SeenLock lock : locks) {
            if (!lock.caller().equals(noisyCaller)) {
                problems.add(lock.caller() + " was locked, and had done nothing");
            }
        }
        if (neighbours.rejected() > 0) {
            problems.add(neighbours.rejected() + " requests of well-behaved callers were rejected");
        }
        return problems;
    }
}

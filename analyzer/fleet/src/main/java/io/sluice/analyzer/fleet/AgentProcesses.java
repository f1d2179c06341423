package io.sluice.analyzer.fleet;

import io.sluice.contract.agent.AgentHeartbeat;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes that send heartbeats with one agent's id: one, unless the id was given to several. A process in the place of another one does not
 * count twice: the other one sends nothing afterwards. Immutable.
 *
 * @param runs those with a heartbeat within {@value Agents#ALIVE_MILLIS} ms, at most {@value #MOST}
 */
public record AgentProcesses(List<Run> runs) {
    /** So many processes of one id are counted. */
    public static final int MOST = 16;

    /** No process yet. */
    public static final AgentProcesses NONE = new AgentProcesses(List.of());

    /**
     * A process.
     *
     * @param id its {@link AgentHeartbeat#run}
     * @param first append time of its first heartbeat, epoch milliseconds
     * @param last append time of its newest one
     * @param checks how many requests it has checked
     * @param active append time of the newest heartbeat with other checks than the one before, or of the first one
     */
    public record Run(long id, long first, long last, long checks, long active) {
        Run heard(AgentHeartbeat beat, long append) {
            return new Run(
                    id,
                    // another leader's clock may be behind
                    Math.min(first, append),
                    Math.max(last, append),
                    beat.checks(),
                    beat.checks() == checks ? active : Math.max(active, append));
        }

        boolean overlaps(Run other) {
            return id != other.id && first <= other.last && other.first <= last;
        }
    }

    public AgentProcesses {
        runs = List.copyOf(runs);
    }

    /** Returns these and the process of a heartbeat; at the bound, new ones are left out until others have been silent for long enough. */
    public AgentProcesses heard(AgentHeartbeat beat, long append) {
        List<Run> heard = new ArrayList<>(runs.size() + 1);
        Run sender = new Run(beat.run(), append, append, beat.checks(), append);
        for (Run run : runs) {
            if (run.id == beat.run()) {
                sender = run.heard(beat, append);
            } else if (append - run.last <= Agents.ALIVE_MILLIS) {
                heard.add(run);
            }
        }
        if (heard.size() < MOST) {
            heard.add(sender);
        }
        return new AgentProcesses(heard);
    }

    /** Returns the number of processes that are alive: the newest one, and those that sent heartbeats while another one did. */
    public int alive() {
        return Math.max(1, (int) living().count());
    }

    /** Returns how many of them have checked requests, or are new, since an append time. */
    public int active(long since) {
        return (int) living().filter(run -> run.active >= since).count();
    }

    private Stream<Run> living() {
        long newest = runs.stream().mapToLong(Run::first).max().orElse(0);
        return runs.stream().filter(run -> run.first == newest || runs.stream().anyMatch(run::overlaps));
    }
}

package io.sluice.demo.story;

import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.Plural;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.traffic.Traffic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Describes an outcome for people. */
public final class Story {
    private final Outcome outcome;
    private final List<String> lines = new ArrayList<>();

    private Story(Outcome outcome) {
        this.outcome = outcome;
    }

    /** The story so far, a line each, in plain ASCII and within 80 columns where names are short. */
    public static List<String> of(Outcome outcome) {
        Story story = new Story(outcome);
        story.tell();
        return List.copyOf(story.lines);
    }

    private void tell() {
        lines.add("What happened");
        List<SeenLock> locks = outcome.noisyLocks();
        if (locks.isEmpty()) {
            lines.add("  " + outcome.noisyCaller() + " was not locked.");
        } else {
            locked(locks);
        }
        requests();
        delays();
        List<String> problems = outcome.problems();
        if (!problems.isEmpty()) {
            lines.add("What went wrong");
            problems.forEach(problem -> lines.add("  " + problem));
        }
    }

    private void locked(List<SeenLock> locks) {
        SeenLock first = locks.get(0);
        String crowded = outcome.delays().shown() ? " crowded " + outcome.neighbourCount() + " others out, and" : "";
        lines.add("  " + outcome.noisyCaller() + crowded + " was locked out by "
                + first.opened().policy() + ":");
        Moments moments = new Moments();
        if (first.opened().evidence() != null) {
            moments.add(
                    first.crossed(),
                    "it crossed the line: " + Words.why(first.opened().evidence()));
        }
        for (Reaction reaction : outcome.reactions()) {
            moments.add(reaction.lockedAt(), reaction.agent() + " rejected it, " + reaction.millis() + " ms later");
        }
        if (outcome.quietAgain() > 0) {
            moments.add(outcome.quietAgain(), outcome.noisyCaller() + " backed off");
        }
        SeenLock last = locks.get(locks.size() - 1);
        if (last.released() > 0) {
            moments.add(last.released(), "its gate opened again");
        } else {
            moments.add(last.until(), "its lock ends, unless it is renewed");
        }
        moments.tell();
        if (!outcome.reactions().isEmpty()) {
            lines.add("  Reaction: half within " + outcome.median() + " ms, all within " + outcome.slowest() + " ms.");
        }
    }

    /** The events with their times, in order. */
    private final class Moments {
        private record Moment(long millis, String text) {}

        private final List<Moment> moments = new ArrayList<>();

        void add(long millis, String text) {
            moments.add(new Moment(millis, text));
        }

        void tell() {
            moments.sort(Comparator.comparingLong(Moment::millis));
            moments.forEach(moment -> lines.add(at(moment.millis()) + moment.text()));
        }
    }

    private void requests() {
        lines.add("  " + outcome.noisyCaller() + ": "
                + NumberText.of(outcome.noisy().requests()) + " requests, "
                + NumberText.of(outcome.noisy().rejected()) + " of them rejected.");
        long rejected = outcome.neighbours().rejected();
        lines.add("  The " + outcome.neighbourCount() + " others: "
                + NumberText.of(outcome.neighbours().requests()) + " requests, "
                + (rejected == 0 ? "none" : NumberText.of(rejected)) + " rejected.");
        long failed = outcome.noisy().failed() + outcome.neighbours().failed();
        if (failed > 0) {
            lines.add("  " + Plural.of(failed, "request") + " failed: no answer at all, or a server error.");
        }
        long timedOut = outcome.noisy().timedOut() + outcome.neighbours().timedOut();
        if (timedOut > 0) {
            lines.add("  " + Plural.of(timedOut, "request") + " had no answer within " + Traffic.PATIENCE_SECONDS
                    + " s.");
        }
    }

    private void delays() {
        Delays delays = outcome.delays();
        if (delays.shown()) {
            lines.add("  9 of 10 of their answers came within "
                    + Words.millis(delays.before().p90()) + " before, "
                    + Words.millis(delays.crowded().p90()) + " while crowded,");
            lines.add("  " + Words.millis(delays.after().p90()) + " after the gates had closed.");
        }
    }

    /** Since the traffic began. */
    private String at(long millis) {
        return String.format(Locale.ROOT, "  %6.2f s  ", (millis - outcome.begin()) / 1000.0);
    }

    /** Suggestions. */
    public static List<String> next() {
        return List.of(
                "Next",
                "  ./sluice demo --seconds 600 --port 8080        then, in another terminal:",
                "  curl -i -H 'X-Api-Key: acme' http://127.0.0.1:8080/orders/1",
                "  ./sluice policies check examples/demo/policies.yml",
                "  ./sluice replay access.log                     your own log, and what to limit");
    }
}

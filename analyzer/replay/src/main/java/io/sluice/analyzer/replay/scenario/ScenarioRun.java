package io.sluice.analyzer.replay.scenario;

import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.Plural;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.json.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.StringJoiner;

/**
 * Plays a scenario and reports whether it led to all expected locks and to no other.
 *
 * <p>A scenario is a folder. {@code policy.yml} holds the policies. {@code events.jsonl} holds request events in our own
 * format, in order of time; when each of them also has the time when it was {@code appended} (epoch milliseconds), they are in that
 * order and are played as the live analyzer would have, late events and clocks that go wrong included.
 * {@code expected-locks.jsonl} holds a lock a line, with the fields of the replay's report that matter.
 */
public final class ScenarioRun {
    /** The exit status when all locks came as expected. */
    public static final int PASSED = 0;
    /** The exit status when they did not, or when the scenario can't be played. */
    public static final int FAILED = 1;

    private ScenarioRun() {}

    /**
     * Plays the scenario in a folder.
     *
     * @param out where the result goes
     * @param err receives the reason why a scenario can't be played
     * @return the exit status, {@link #PASSED} or {@link #FAILED}
     */
    public static int of(Path folder, PrintWriter out, PrintWriter err) {
        try {
            Scenario scenario = Scenario.read(folder);
            Outcome outcome = scenario.play();
            tell(scenario, outcome, out);
            return outcome.passed() ? PASSED : FAILED;
        } catch (IOException e) {
            String.valueOf(e.getMessage()).lines().forEach(line -> err.println("scenario: " + PrintableText.of(line)));
            err.flush();
            return FAILED;
        }
    }

    private static void tell(Scenario scenario, Outcome outcome, PrintWriter out) {
        String events = Plural.of(outcome.events(), "event")
                + (outcome.late() == 0 ? "" : ", " + NumberText.of(outcome.late()) + " of them too late to be counted");
        int expected = scenario.expected().size();
        if (outcome.passed()) {
            out.println(scenario.name() + ": passed. " + events + ", " + (expected == 0 ? "no lock" : locks(expected))
                    + ", as expected");
            outcome.locks().forEach(lock -> out.println("  " + shown(lock)));
        } else {
            out.println(scenario.name() + ": FAILED. " + events + ", "
                    + (expected - outcome.missing().size()) + " of " + locks(expected) + " came as expected");
            outcome.missing().forEach(lock -> out.println("  missing     " + shown(lock)));
            outcome.unexpected().forEach(lock -> out.println("  unexpected  " + shown(lock)));
        }
        out.flush();
    }

    private static String locks(int count) {
        return Plural.of(count, "lock");
    }

    private static String shown(ReplayLock lock) {
        StringJoiner text = new StringJoiner(", ");
        for (LockField field : LockField.values()) {
            Object value = field.of(lock);
            if (!value.equals(false)) {
                text.add(shown(field, value));
            }
        }
        return text.toString();
    }

    private static String shown(ExpectedLock lock) {
        StringJoiner text = new StringJoiner(", ", "", " (" + Scenario.EXPECTED + ":" + lock.line() + ")");
        lock.fields().forEach((field, value) -> text.add(shown(field, value)));
        return text.toString();
    }

    private static String shown(LockField field, Object value) {
        String text = switch (field) {
            case POLICY, SUBJECT -> value.toString();
            case AT, UNTIL -> field.spelling() + " " + Instant.ofEpochMilli((Long) value) + " (" + value + ")";
            case OBSERVED, THRESHOLD -> field.spelling() + " " + plain((Double) value);
            case GUARDED, SHADOW, RELEASED -> value.equals(true) ? field.spelling() : "not " + field.spelling();
            case MODE, DETECTOR -> field.spelling() + " " + value;
        };
        return PrintableText.of(text);
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}

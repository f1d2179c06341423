package io.sluice.analyzer.replay.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A policy that locks callers with more than two requests a minute; acme has them, with its third request at 00:00:03. */
class ScenarioRunTest {
    private static final String ACME = "\"policy\":\"p\",\"subject\":[\"acme\"]";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @BeforeEach
    void acmeIsOver() throws IOException {
        Files.writeString(
                folder.resolve("policy.yml"),
                "policies: [{ name: p, per: [caller], window: 1m, lock: { when: [{ above: 2 }], mode: block } }]");
        events(event(1000), event(2000), event(3000));
    }

    private static String event(long time) {
        return "{\"time\":" + time + ",\"caller\":\"acme\"}";
    }

    private static String event(long time, long appended) {
        return "{\"time\":" + time + ",\"caller\":\"acme\",\"appended\":" + appended + "}";
    }

    private void events(String... lines) throws IOException {
        Files.writeString(folder.resolve("events.jsonl"), String.join("\n", lines));
    }

    private Folders.Run expecting(String... lines) throws IOException {
        Files.writeString(folder.resolve("expected-locks.jsonl"), String.join("\n", lines));
        return Folders.run(folder);
    }

    @Test
    void aScenarioPassesWhenItsLockComes() throws IOException {
        Folders.Run run = expecting("{" + ACME + "}");

        assertThat(run.out())
                .contains("passed. 3 events, 1 lock, as expected", "p, [acme], at 1970-01-01T00:00:03Z (3000), until");
        assertThat(run.status()).isZero();
    }

    @Test
    void everyFieldOfTheReportCanBeExpected() throws IOException {
        Folders.Run run = expecting("{" + ACME + ",\"at\":3000,\"until\":303000,\"mode\":\"block\","
                + "\"detector\":\"above\",\"observed\":3,\"threshold\":2.0,\"guarded\":false,\"shadow\":false,"
                + "\"released\":false}");

        assertThat(run.status()).as(run.out() + run.err()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "at,2999",
        "at,3001",
        "until,302999",
        "mode,\"throttle\"",
        "detector,\"share\"",
        "observed,3.001",
        "threshold,2.001",
        "guarded,true",
        "shadow,true",
        "released,true"
    })
    void aLockThatDiffersInOneFieldIsAnother(String field, String value) throws IOException {
        Folders.Run run = expecting("{" + ACME + ",\"" + field + "\":" + value + "}");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("FAILED. 3 events, 0 of 1 lock came as expected")
                .containsPattern("  missing     p, \\[acme], .*" + field + " .*\\(expected-locks.jsonl:1\\)"
                        + "|  missing     p, \\[acme], " + field + " \\(")
                .contains("  unexpected  p, [acme], at 1970-01-01T00:00:03Z (3000)");
    }

    @Test
    void aLockThatNobodyExpectedIsAFailure() throws IOException {
        Folders.Run run = expecting();

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("unexpected  p, [acme]").doesNotContain("missing");
    }

    @Test
    void oneLockIsNotEnoughForTwo() throws IOException {
        Folders.Run run = expecting("{" + ACME + "}", "{" + ACME + ",\"at\":3000}");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("1 of 2 locks came", "missing     p, [acme]")
                .doesNotContain("unexpected");
    }

    @Test
    void orderDoesNotMatterEvenWhereALineSaysLittle() throws IOException {
        // acme is released when its window is empty, and over again an hour later
        events(event(1000), event(2000), event(3000), event(3_601_000), event(3_602_000), event(3_603_000));

        Folders.Run run = expecting("{" + ACME + "}", "{" + ACME + ",\"at\":3000}");

        assertThat(run.status()).as(run.out()).isZero();
    }

    @Test
    void allThatIsWrongWithTheExpectedLocksIsSaidAtOnce() throws IOException {
        Folders.Run run = expecting("{" + ACME + ",\"detektor\":\"above\"}", "{\"subject\":[]}", "{" + ACME + "", "");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains(
                        "expected-locks.jsonl:1: found the field 'detektor', allowed: policy, subject, at, until, mode,"
                                + " detector, observed, threshold, guarded, shadow, released")
                .contains("expected-locks.jsonl:2: lock.policy is missing")
                .contains("expected-locks.jsonl:3: ");
    }

    @Test
    void anEventThatCannotBeReadIsNamedByItsLine() throws IOException {
        events(event(1000), "{\"time\":2000}");

        assertThat(expecting().err()).contains("events.jsonl:2: ", "caller");
    }

    @Test
    void eventsStandInOrderOfTime() throws IOException {
        events(event(1000), event(999));

        assertThat(expecting().err()).contains("events.jsonl:2: time: found 999, allowed: 1000 or later");
    }

    @Test
    void appendedEventsStandInOrderOfTheirAppends() throws IOException {
        events(event(1000, 1000), event(900, 1000), event(2000, 999));

        assertThat(expecting().err()).contains("events.jsonl:3: appended: found 999, allowed: 1000 or later");
    }

    @Test
    void allLinesHaveAnAppendTimeOrNone() throws IOException {
        events(event(1000), event(2000, 2000));
        Folders.Run oneWith = expecting();
        events(event(1000, 1000), event(2000));
        Folders.Run oneWithout = expecting();

        assertThat(oneWith.err()).contains("events.jsonl:2: appended stands here", "all lines have it, or none");
        assertThat(oneWithout.err()).contains("events.jsonl:2: appended is missing", "all lines have it, or none");
        assertThat(oneWith.status()).isEqualTo(1);
    }

    @Test
    void itSaysHowManyEventsWereLate() throws IOException {
        events(event(100_000, 100_000), event(39_999, 100_000), event(40_000, 100_000));

        assertThat(expecting().out()).contains("passed. 3 events, 1 of them too late to be counted, no lock");
    }

    @ParameterizedTest
    @CsvSource({"policy.yml", "events.jsonl", "expected-locks.jsonl"})
    void aMissingFileIsNamed(String file) throws IOException {
        expecting("{" + ACME + "}");
        Files.delete(folder.resolve(file));

        Folders.Run run = Folders.run(folder);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains(file + ": no such file");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Folders.Run run = Folders.run(folder.resolve("nowhere"));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("nowhere: no such folder; a scenario is a folder with policy.yml, events.jsonl");
    }

    @Test
    void aPolicyThatIsWrongIsExplained() throws IOException {
        Files.writeString(folder.resolve("policy.yml"), "policies: [{ name: p, par: [caller] }]");

        assertThat(expecting().err()).contains("policy.yml", "par");
    }
}

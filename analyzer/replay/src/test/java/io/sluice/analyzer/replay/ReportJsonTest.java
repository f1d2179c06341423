package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.PolicyFile;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports for programs, byte for byte. */
class ReportJsonTest {
    private static final String LOG = "broken-in-two.log";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "callers  | none     | none       | false",
                "policies | above: 30 | none      | false",
                "exact    | above: 30 | none      | true",
                "changes  | above: 30 | above: 20 | false",
                "all      | above: 400 | above: 20 | true",
            })
    void write_isByteForByteAsRecorded(String name, @Nullable String policies, @Nullable String against, boolean exact)
            throws Exception {
        LogFile log = Replays.file(Replays.resource(LOG));
        Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false);
        ReplayResult found = new Replay(
                        new Replay.Question(set(policies), set(against), exact), null, List.of(), progress)
                .of(List.of(log));
        assertRecorded(name, found, found.tried());
    }

    @Test
    void write_missedSubjectAndLockThatDoesNotHold_isByteForByteAsRecorded() throws Exception {
        LogFile log = Replays.file(Replays.resource(LOG));
        ReplayResult found = Replays.of(Replays.policy("above: 30"), log.path());
        Tried tried = Objects.requireNonNull(found.tried());
        TriedLock first = tried.locks().get(0);
        TriedLock unfounded =
                new TriedLock(first.lock(), first.toll(), null, first.free(), new Verdict(null, null, 1_000, 200));
        Over over = new Over("noisy", List.of("acme", "/orders"), "above", 1_000, 2_500, 31, 30);

        assertRecorded(
                "missed", found, new Tried(tried.set(), List.of(unfounded), true, List.of(new Tried.Missed(over, 2))));
    }

    private static void assertRecorded(String name, ReplayResult found, @Nullable Tried tried) throws Exception {
        ReplayResult timed = new ReplayResult(
                found.logs(),
                found.deadLetters(),
                tried,
                found.comparison(),
                found.callers(),
                null,
                found.suggestion(),
                found.notes(),
                1.25);

        assertThat(new String(ReportJson.write(timed), StandardCharsets.UTF_8)).isEqualTo(recorded(name));
    }

    private static @Nullable PolicySet set(@Nullable String when) throws Exception {
        return when == null
                ? null
                : PolicyFile.read(Replays.policy(when).getBytes(StandardCharsets.UTF_8), "policies.yml");
    }

    private static String recorded(String name) throws Exception {
        try (InputStream json = ReportJsonTest.class.getResourceAsStream("/reports/" + name + ".json")) {
            return new String(Objects.requireNonNull(json).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

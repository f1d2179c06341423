package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineTest {
    private static final ReplayBounds WIDE =
            new ReplayBounds(1 << 20, Duration.ofMinutes(10), 64 << 20, 1_000, 1_000, 1_000);

    private static LogBytes log(String... callers) {
        return new LogBytes(
                "log",
                IntStream.range(0, callers.length)
                        .mapToObj(i -> "{\"time\":" + (1_763_700_000_000L + i * 1_000L) + ",\"caller\":\"" + callers[i]
                                + "\"}\n")
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8),
                1 << 20);
    }

    private static ReplayResult replay(String when, LogBytes log) throws Exception {
        var set = PolicyFile.read(Replays.policy(when).getBytes(StandardCharsets.UTF_8), "policies");
        return new Replay(new Replay.Question(set, null, false, true), "json", List.of(), WIDE).of(List.of(log));
    }

    @Test
    void replay_countsRequestsAndWouldBeRejectionsPerStep() throws Exception {
        String[] callers = new String[20];
        IntStream.range(0, 20).forEach(i -> callers[i] = i % 4 == 3 ? "quiet" : "noisy");

        Timeline.Steps steps = replay("above: 5", log(callers)).timeline().steps();

        assertThat(steps.stepMillis()).isEqualTo(1_000);
        assertThat(steps.requests()).hasSize(20).containsOnly(1L);
        assertThat(steps.callers()).extracting(Timeline.Row::caller).containsExactly("noisy", "quiet");
        assertThat(steps.callers().get(0).requests().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(15);
        // the sixth request of noisy crosses and passes: nine of fifteen follow
        assertThat(steps.rejected().stream().mapToLong(Long::longValue).sum()).isEqualTo(9);
        assertThat(steps.rejected().subList(0, 8)).containsOnly(0L);
    }

    @Test
    void replay_withoutTheQuestion_hasNoTimeline() throws Exception {
        ReplayResult result =
                new Replay(new Replay.Question(null, null, false), "json", List.of(), WIDE).of(List.of(log("a")));

        assertThat(result.timeline()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1000",
        "237999, 1000",
        "238000, 1000",
        "240000, 2000",
        "3600000, 30000",
        "86400000, 600000",
        "31536000000, 172800000",
        "3153600000000, 13305600000"
    })
    void steps_ofAnySpan_areBounded(long span, long stepMillis) {
        Timeline timeline = new Timeline(1_763_700_000_123L, 1_763_700_000_123L + span, List.of());

        assertThat(timeline.steps().requests()).hasSizeBetween(1, Timeline.MOST);
        assertThat(timeline.steps().stepMillis()).isEqualTo(stepMillis);
        assertThat(timeline.steps().from()).isLessThanOrEqualTo(1_763_700_000_123L);
    }

    @Test
    void log_thatIsNotGzip_isReadAsItIs() throws IOException {
        try (Lines lines = log("a", "b").lines()) {
            assertThat(lines.next()).isNotNull();
            assertThat(lines.next()).isNotNull();
            assertThat(lines.next()).isNull();
        }
    }
}

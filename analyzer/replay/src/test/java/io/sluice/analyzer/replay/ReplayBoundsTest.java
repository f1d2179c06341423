package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.PolicyFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A replay ends with an error that names the bound where a log or its policies exceed one. */
class ReplayBoundsTest {
    private static final ReplayBounds WIDE =
            new ReplayBounds(8 << 20, Duration.ofMinutes(10), 64 << 20, 1_000, 1_000, 1_000);

    private static byte[] lines(LongStream times, String caller) {
        return times.mapToObj(time ->
                        "{\"time\":" + time + ",\"caller\":\"" + caller + (caller.isEmpty() ? time : "") + "\"}\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static PolicySet above(int threshold) throws Exception {
        return PolicyFile.read(Replays.policy("above: " + threshold).getBytes(StandardCharsets.UTF_8), "policies");
    }

    private static void replay(ReplayBounds bounds, byte[] log, PolicySet policies) throws IOException {
        new Replay(new Replay.Question(policies, null, false), "json", List.of(), bounds)
                .of(List.of(new LogBytes("log", log, bounds.bytes())));
    }

    @Test
    void bytes_beyondTheBound() {
        byte[] log = lines(LongStream.range(0, 1_000), "a");
        ReplayBounds small = new ReplayBounds(10_000, Duration.ofMinutes(10), 1 << 20, 10, 10, 10);

        assertThatThrownBy(() -> replay(small, log, above(1)))
                .isInstanceOf(BeyondBounds.class)
                .hasMessageContaining("10");
    }

    @Test
    void gzip_ofOneEndlessLine_isNotUnpackedBeyondTheBound() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[16 << 20]);
        }

        assertThatThrownBy(() -> replay(WIDE, packed.toByteArray(), above(1)))
                .isInstanceOf(BeyondBounds.class)
                .hasMessageContaining("unpacks to more than");
    }

    @Test
    void locks_beyondTheBound() {
        byte[] log = lines(LongStream.range(0, 4_000).map(i -> 1_763_700_000_000L + i / 2), "");

        assertThatThrownBy(() -> replay(WIDE, log, above(1)))
                .isInstanceOf(BeyondBounds.class)
                .hasMessageContaining("1,000 locks");
    }

    @Test
    void time_beyondTheBound() {
        Allowance spent = new Allowance(
                new ReplayBounds(1 << 20, Duration.ofSeconds(1), 1 << 20, 10, 10, 10), new LongSupplier() {
                    private long now;

                    @Override
                    public long getAsLong() {
                        return now += 2_000_000_000L;
                    }
                });

        assertThatThrownBy(spent::time).isInstanceOf(BeyondBounds.class).hasMessageContaining("longer than 1 s");
    }

    @Test
    void heap_ofWindows_beyondTheBound() {
        byte[] log = lines(LongStream.range(0, 60_000).map(i -> 1_763_700_000_000L + i), "");
        ReplayBounds small = new ReplayBounds(8 << 20, Duration.ofMinutes(10), 1 << 20, 1_000, 1_000, 1_000);

        assertThatThrownBy(() -> replay(small, log, above(100)))
                .isInstanceOf(BeyondBounds.class)
                .hasMessageContaining("bytes of heap");
    }
}

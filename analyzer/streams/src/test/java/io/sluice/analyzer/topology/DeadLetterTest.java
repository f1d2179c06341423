package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

class DeadLetterTest {
    private static final RecordMetadata ORIGIN = new RecordMetadata() {
        @Override
        public String topic() {
            return "sluice.requests";
        }

        @Override
        public int partition() {
            return 3;
        }

        @Override
        public long offset() {
            return 42;
        }
    };

    private static String header(Record<byte[], byte[]> letter, String name) {
        return new String(letter.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Test
    void anything_makesASmallRecord() {
        byte[] large = new byte[1 << 20];
        Record<byte[], byte[]> letter =
                DeadLetter.of(new Record<>(large, large, 7), ORIGIN, "\u00e9".repeat(2_000_000), 8);

        assertThat(letter.key()).hasSize(4096);
        assertThat(letter.value()).hasSize(4096);
        assertThat(header(letter, DeadLetter.REASON)).hasSize(1025).endsWith("\u00e9\u2026");
        assertThat(header(letter, DeadLetter.LENGTH)).isEqualTo("1048576");
    }

    @Test
    void aShortReason_staysAsItIs() {
        Record<byte[], byte[]> letter =
                DeadLetter.of(new Record<>(new byte[] {1}, new byte[] {2}, 7), ORIGIN, "request.time is missing", 8);

        assertThat(header(letter, DeadLetter.REASON)).isEqualTo("request.time is missing");
        assertThat(Optional.of(letter.value())).contains(new byte[] {2});
    }
}

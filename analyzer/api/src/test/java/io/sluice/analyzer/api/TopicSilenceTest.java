package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The time since the last record. */
class TopicSilenceTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final TopicSilence silence = new TopicSilence(nanos::get);

    @Test
    void millis_beforeAndAfterARecord_countFromTheLastOne() {
        nanos.addAndGet(12_000_000_000L);
        assertThat(silence.millis()).isEqualTo(12_000);

        silence.record(new ConsumerRecord<>("t", 0, 0, new byte[0], new byte[0]));
        nanos.addAndGet(999_999);

        assertThat(silence.millis()).isZero();
    }
}

package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorFeedTest {
    private static final long MINUTE = 60_000;

    private final OperatorFeed feed = new OperatorFeed();

    private void release(String caller, long ttlMillis, long appended) {
        List<String> subject = List.of(caller);
        feed.add(new OperatorFeed.Entry(
                List.of("p", caller), new OperatorRecord.Release("p", subject, ttlMillis, "ann", "test", 0), appended));
    }

    @Test
    void records_thatHaveEnded_takeNoMemory() {
        release("long", 365 * 24 * 60 * MINUTE, 0);
        for (int i = 0; i < 100_000; i++) {
            release("caller-" + i, MINUTE, i * MINUTE);
        }

        assertThat(feed.size()).isLessThanOrEqualTo(1_001);
        try (OperatorFeed.Subscription subscription = feed.subscribe()) {
            assertThat(subscription.next().key()).containsExactly("p", "long");
        }
    }

    @Test
    void records_thatHold_areAllKept() {
        for (int i = 0; i < 5_000; i++) {
            release("caller-" + i, MINUTE, 1);
        }

        assertThat(feed.size()).isEqualTo(5_000);
    }
}

package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WatchRequestsTest {
    private static final UsageKey ACME = new UsageKey("p@1", List.of("acme"));

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1);
    private final WatchRequests requests = new WatchRequests(nanoTime::get);

    private List<UsageKey> drained(boolean taken) {
        List<UsageKey> keys = new ArrayList<>();
        requests.drain(key -> {
            keys.add(key);
            return taken;
        });
        return keys;
    }

    private void pass(int seconds) {
        nanoTime.addAndGet(seconds * 1_000_000_000L);
    }

    @Test
    void request_waitsForItsTask() {
        requests.add(ACME);
        assertThat(drained(false)).containsExactly(ACME);
        pass(5);

        assertThat(drained(true)).containsExactly(ACME);
        assertThat(drained(true)).isEmpty();
    }

    @Test
    void request_ofNoTaskHere_expires() {
        requests.add(ACME);
        assertThat(drained(false)).containsExactly(ACME);
        pass(6);

        assertThat(drained(true)).isEmpty();
    }

    @Test
    void request_repeated_waitsOn() {
        requests.add(ACME);
        pass(4);
        requests.add(ACME);
        pass(4);

        assertThat(drained(true)).containsExactly(ACME);
    }
}

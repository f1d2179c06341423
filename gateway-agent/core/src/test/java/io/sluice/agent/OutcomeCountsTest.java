package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.metrics.GateMetrics;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counters read while other threads count: no counter is ever negative, and none runs backwards. */
@Tag(Seeds.TAG)
final class OutcomeCountsTest {
    private static final int READS = Seeds.of(400, 2_000);
    private static final byte[] PLANS =
            "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}"
                    .getBytes(StandardCharsets.UTF_8);

    private final AtomicBoolean stop = new AtomicBoolean();
    private final GateAgent agent = GateAgent.builder()
            .bootstrap("127.0.0.1:1")
            .service("orders")
            .policies(PLANS)
            .build();
    private final List<Thread> callers =
            Stream.generate(() -> new Thread(this::call)).limit(2).toList();

    @BeforeEach
    void startCallers() {
        callers.forEach(Thread::start);
        await().until(() -> agent.status().limited() > 0);
    }

    @AfterEach
    void stopCallers() throws InterruptedException {
        stop.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        agent.close();
    }

    private void call() {
        Request request = agent.request("acme").build();
        while (!stop.get()) {
            agent.check(request).close();
        }
    }

    @Test
    void status_whileALimitRejects_countsOnlyLimitedRequests() {
        for (int i = 0; i < READS; i++) {
            AgentStatus status = agent.status();

            assertThat(status.allowed()).isEqualTo(1);
            assertThat(status.locked()).isZero();
            assertThat(status.rejections() - status.limited()).isZero();
            assertThat(status.checks() - status.rejections()).isEqualTo(1);
            assertThat(status.rejectedBy()).isEqualTo(status.limitedBy());
        }
    }

    @Test
    void counters_readByManyScrapes_areNeverNegativeAndNeverRunBackwards() {
        Map<String, Double> before = new HashMap<>();
        for (int i = 0; i < READS; i++) {
            SimpleMeterRegistry scrape = new SimpleMeterRegistry();
            new GateMetrics(agent).bindTo(scrape);
            scrape.forEachMeter(meter -> {
                if (meter instanceof FunctionCounter counter) {
                    String id = meter.getId().toString();
                    assertThat(counter.count()).as(id).isGreaterThanOrEqualTo(before.getOrDefault(id, 0.0));
                    before.put(id, counter.count());
                }
            });
        }
        assertThat(before).isNotEmpty();
    }
}

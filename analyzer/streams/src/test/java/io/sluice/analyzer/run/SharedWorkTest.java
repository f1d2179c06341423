package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.policy.PolicySet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several analyzers, coming and going, on a real broker with four partitions. */
@Tag("server")
class SharedWorkTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int EVENTS = 500_000;
    private static final int CALLERS = 300;

    @TempDir
    Path directory;

    private static PolicySet above(long threshold) {
        return TestPolicies.yaml("""
                policies:
                  - name: noisy
                    per: [caller]
                    window: 10m
                    panes: 10
                    lock: { when: [{ above: %d }], mode: block, for: 5m }
                """.formatted(threshold));
    }

    /** A policy that holds nothing back: a baseline is made of small sums, too. */
    private static final PolicySet EVERYTHING = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 30s
                panes: 10
                lock: { when: [{ spike: 1000, baseline: 1h, floor: 100000000 }], mode: block, for: 5m }
            """);

    @Tag("full")
    @ParameterizedTest(name = "exactly once: {0}")
    @ValueSource(booleans = {false, true})
    void nothingIsLostOrDoubledWhenAnalyzersComeAndGo(boolean exactlyOnce) throws Exception {
        try (TestFleet fleet = new TestFleet(directory, 4).handingOver()) {
            Analyzer first = fleet.start(fleet.options("a", EVERYTHING, exactlyOnce));
            await().atMost(PATIENCE).until(first::running);
            AtomicLong sent = new AtomicLong();
            AtomicBoolean allHadSome = new AtomicBoolean();
            CompletableFuture<Map<List<String>, Long>> input =
                    CompletableFuture.supplyAsync(() -> send(fleet.topics.requests(), sent, allHadSome));

            await().atMost(PATIENCE).until(() -> sent.get() > EVENTS / 10);
            Analyzer second = fleet.start(fleet.options("b", EVERYTHING, exactlyOnce));
            await().atMost(PATIENCE).until(() -> events(second) > 0);
            Analyzer third = fleet.start(fleet.options("c", EVERYTHING, exactlyOnce));
            await().atMost(PATIENCE).until(() -> events(third) > 0);
            allHadSome.set(true);
            second.close();
            Map<List<String>, Long> counted = input.get();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(fleet.usage()).isEqualTo(counted));
            assertThat(counted.values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(sent.get())
                    .isGreaterThanOrEqualTo(EVENTS);
            assertThat(first.counts().get(Count.LATE) + third.counts().get(Count.LATE))
                    .isZero();
        }
    }

    private static long events(Analyzer analyzer) {
        return analyzer.counts().getOrDefault(Count.EVENTS, 0L);
    }

    /** Sends all events, un-keyed, over some seconds, and goes on until every analyzer had some. */
    private static Map<List<String>, Long> send(String topic, AtomicLong sent, AtomicBoolean allHadSome) {
        Map<List<String>, Long> callers = new HashMap<>();
        Random random = new Random(7);
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            while (sent.get() < EVENTS || !allHadSome.get()) {
                for (int i = 0; i < 1000; i++) {
                    String caller = "caller-" + (int) (CALLERS * random.nextDouble() * random.nextDouble());
                    callers.merge(List.of(caller), 1L, Long::sum);
                    var unused = producer.send(new ProducerRecord<>(topic, TestKafka.utf8(TestFleet.event(caller))));
                }
                producer.flush();
                sent.addAndGet(1000);
                LockSupport.parkNanos(20_000_000);
            }
        }
        return callers;
    }

    @Test
    void whenOneOfTwoStopsTheOtherCountsOnAndLocksTheRightOne() throws Exception {
        try (TestFleet fleet = new TestFleet(directory, 4)) {
            Analyzer stays = fleet.start("stays", above(1000));
            Analyzer stops = fleet.start("stops", above(1000));
            fleet.awaitReady();
            AtomicInteger early = new AtomicInteger();
            await("work for both").atMost(PATIENCE).until(() -> {
                fleet.send("early", 4);
                early.addAndGet(4);
                return events(stays) > 0 && events(stops) > 0;
            });
            fleet.send("neighbour", 500);
            fleet.send("noisy", 900);
            await().atMost(PATIENCE).until(() -> events(stays) + events(stops) == early.get() + 1400);

            fleet.stop(stops);
            // or the other would wait for the end of its session
            GroupExit.leave(fleet.options("stops", above(1000), false));
            fleet.send("neighbour", 500);
            fleet.send("noisy", 100);
            // a task that moves has no clock at first, and opens nothing until it has
            fleet.awaitReady();
            fleet.send("noisy", 1);

            await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());
            assertThat(fleet.locks())
                    .extracting(GateLock::subject, lock -> lock.evidence().sum())
                    .containsExactly(tuple(List.of("noisy"), 1001.0));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(fleet.usage())
                            .containsEntry(List.of("neighbour"), 1000L)
                            .containsEntry(List.of("noisy"), 1001L));
            assertThat(fleet.locks()).hasSize(1);
        }
    }
}

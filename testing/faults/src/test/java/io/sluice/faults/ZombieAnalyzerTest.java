package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An analyzer freezes while it holds a lock. Another takes its place and opens the gate, for the caller has ceased. When the first
 * wakes up, it renews the lock that it still believes in.
 */
class ZombieAnalyzerTest {
    private static final String POLICIES = UsualPolicies.busyNoisy();
    private static final int MAX_LEASE = 20_000;

    @TempDir
    Path folder;

    @Test
    void noAgentGoesBackToAnOlderDecision() {
        try (FaultyBroker broker = FaultyBroker.start();
                Surroundings around = new Surroundings(
                        folder, broker.bootstrap(), "z.", 2, POLICIES, "max-lease: " + MAX_LEASE + "ms")) {
            JavaProcess frozen = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");
            AgentProcess agent = around.agent("agent-1", Map.of(), "noisy", "noisy-2");
            around.agent("agent-2", Map.of(), "noisy", "noisy-2");
            agent.traffic(Map.of("noisy", 60));
            around.awaitEverywhere(List.of("noisy"), "LOCKED:busy");

            frozen.freeze();
            around.history.add(Entry.Kind.FAULT, "a", "frozen");
            long begin = System.nanoTime();
            agent.traffic(Map.of("calm", 1));
            JavaProcess other = around.start(around.analyzer("b"));
            around.awaitEverywhere(List.of("noisy"), "pass");
            long takenOver = (System.nanoTime() - begin) / 1_000_000;
            around.awaiting(() -> assertThat(around.locks().decisions())
                    .anyMatch(it -> it.lock().mode() == Mode.OPEN));
            // a successor that came after the lease had run out has prolonged the lock before it opened the gate
            around.awaitEverywhere(List.of("noisy"), "pass");

            long woken = System.currentTimeMillis();
            frozen.resume();
            around.history.add(Entry.Kind.FAULT, "a", "woken");
            around.awaitAble(woken, "a", "b");
            long renewed = stale(around.locks());
            renewOnceMore(around);
            AgentProcess newcomer = around.agent("agent-3", Map.of(), "noisy", "noisy-2");
            agent.traffic(Map.of("noisy-2", 60));
            around.awaitEverywhere(List.of("noisy-2"), "LOCKED:busy");

            assertThat(newcomer.table("noisy")).isEqualTo("{noisy=pass}");
            around.awaiting(() ->
                    assertThat(AgentProcess.number(agent.status(), "fenced")).isPositive());
            assertThat(List.of(frozen, other)).allMatch(JavaProcess::alive);
            judge(around, woken, takenOver, renewed);
        }
    }

    /** Writes the zombie's last lock again, not one that its successor renewed: the zombie may have been stopped before it renewed one itself. */
    private static void renewOnceMore(Surroundings around) {
        Map<String, Long> latest = new HashMap<>();
        around.locks()
                .decisions()
                .forEach(it -> latest.merge(
                        it.lock().version().task(), it.lock().version().epoch(), Math::max));
        List<ProducerRecord<byte[], byte[]>> locks = new ArrayList<>();
        String gateLocks = around.topics.gateLocks();
        TopicHistory.read(around.bootstrap, gateLocks, record -> {
            if (lockOf(record.value())
                    .filter(lock -> lock.mode() == Mode.BLOCK)
                    .map(GateLock::version)
                    .filter(version -> version.epoch() < latest.get(version.task()))
                    .isPresent()) {
                locks.add(new ProducerRecord<>(gateLocks, record.partition(), record.key(), record.value()));
            }
        });
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", around.bootstrap), new ByteArraySerializer(), new ByteArraySerializer())) {
            var unused = producer.send(locks.get(locks.size() - 1));
        }
    }

    private static Optional<GateLock> lockOf(byte[] value) {
        try {
            return value != null && GateLockJson.read(value).orElse(null) instanceof GateLock lock
                    ? Optional.of(lock)
                    : Optional.empty();
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
    }

    private static void judge(Surroundings around, long woken, long takenOver, long renewed) {
        Invariants history = around.end();

        assertThat(stale(history.locks())).isPositive();
        assertThat(history.locks().spans())
                .filteredOn(span -> span.caller().equals("noisy"))
                .as("never applied again")
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(span -> span.from() < woken && span.until() < Long.MAX_VALUE);
        assertThat(history.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(history.noFailures()).isEmpty();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("another analyzer started and decided in its place after", takenOver + " ms");
        figures.put("locks the zombie renewed", renewed);
        figures.put("heartbeats it wrote", around.heartbeats().backwards().size());
        figures.put("agents that believed it", "0 of 3");
        Reliability.tell(
                4,
                "analyzer frozen, replaced and woken",
                "no agent goes back to an older decision, a new one neither",
                ZombieAnalyzerTest.class,
                figures);
    }

    /** How many decisions stand behind one of a later life of the same task. */
    private static long stale(LockSpans locks) {
        Map<String, Long> highest = new HashMap<>();
        long stale = 0;
        for (LockSpans.Decision decision : locks.decisions()) {
            var version = decision.lock().version();
            long before = highest.merge(version.task(), version.epoch(), Math::max);
            stale += version.epoch() < before ? 1 : 0;
        }
        return stale;
    }
}

package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.workload.Sender;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/**
 * An analyzer as an agent sees it: policies, many locks, and a heartbeat a second on each partition for as long as it is
 * open.
 */
final class Fleet implements AutoCloseable {
    static final String PREFIX = "agents.";
    static final int PARTITIONS = 4;

    private static final long MAX_LEASE = TimeUnit.MINUTES.toMillis(10);
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);

    private final TopicNames topics = new TopicNames(PREFIX);
    private final Sender sender;
    private final ScheduledExecutorService hearts = Executors.newSingleThreadScheduledExecutor();
    private final long epoch = System.currentTimeMillis();

    private Fleet(Sender sender) {
        this.sender = sender;
    }

    /** Makes the topics. */
    static Fleet open(String bootstrapServers) {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers))) {
            new TopicAdministration(admin).create(Topics.definitions(new TopicNames(PREFIX), PARTITIONS, 1, MAX_LEASE));
        }
        return new Fleet(new Sender(bootstrapServers));
    }

    /** Publishes the policies and so many locks under the first of them, and beats from then on. */
    void begin(PolicySet policies, int locks) {
        sender.send(
                topics.policies(),
                0,
                PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8),
                PolicySetJson.writeActive(policies));
        String policy = policies.policies().get(0).name();
        for (int number = 0; number < locks; number++) {
            lock(policy, "c%07d".formatted(number), number);
        }
        // the first beat waits for its turn behind the locks
        var unused = hearts.scheduleAtFixedRate(this::beat, 0, 1, TimeUnit.SECONDS);
    }

    /** A throttle as the analyzer writes it, with its evidence. */
    private void lock(String policy, String caller, int number) {
        byte[] key = CompositeKey.bytes(GateKeys.key(policy, List.of(caller)));
        int partition = Partitions.of(key, PARTITIONS);
        long now = System.currentTimeMillis();
        send(
                partition,
                new GateLock(
                        policy,
                        List.of(caller),
                        Mode.THROTTLE,
                        50,
                        0,
                        MAX_LEASE,
                        now,
                        now + HOUR,
                        1,
                        false,
                        false,
                        new Evidence(
                                "share",
                                0.62,
                                0.4,
                                "requests",
                                60_000,
                                12_345,
                                19_911,
                                now - 90,
                                now,
                                "9f2c41d07a5be368"),
                        version(partition, number)));
    }

    private void beat() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            long now = System.currentTimeMillis();
            send(partition, new AnalyzerHeartbeat(version(partition, now), "bench", now, Map.of("orders", 1)));
        }
    }

    private Version version(int partition, long seq) {
        return new Version(AnalyzerHeartbeat.TASK + partition, epoch, seq);
    }

    private void send(int partition, GateRecord record) {
        sender.send(topics.gateLocks(), partition, CompositeKey.bytes(GateKeys.of(record)), GateLockJson.write(record));
    }

    @Override
    public void close() {
        hearts.shutdownNow();
        sender.close();
    }
}

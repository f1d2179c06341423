package io.sluice.analyzer.cli;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.settings.InvalidSettings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The policy set that analyzer and agents follow, read from its topic. */
final class PoliciesInForce {
    private static final byte[] ACTIVE = PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8);

    private final Connection connection;

    PoliciesInForce(Connection connection) {
        this.connection = connection;
    }

    /** The set in force, or {@code null} when there is none yet. */
    @Nullable
    PolicySet read() throws InvalidSettings, Refused, InterruptedException {
        AtomicReference<@Nullable PolicySet> newest = new AtomicReference<>();
        TopicEnd.read(connection, List.of(connection.topics().policies()), record -> {
            PolicySet set = active(record);
            if (set != null) {
                newest.set(set);
            }
        });
        return newest.get();
    }

    /** Waits until the set of this revision is in force; false when that takes too long. */
    boolean await(String revision, long millis) throws InvalidSettings, Refused, InterruptedException {
        CountDownLatch seen = new CountDownLatch(1);
        TopicFollower.Listener listener = new TopicFollower.Listener() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                PolicySet set = active(record);
                if (set != null && set.revision().equals(revision)) {
                    seen.countDown();
                }
            }

            @Override
            public void caughtUp() {}
        };
        try (TopicFollower follower = new TopicFollower(
                connection.client(), List.of(connection.topics().policies()), listener)) {
            follower.start();
            return seen.await(millis, TimeUnit.MILLISECONDS);
        }
    }

    private static @Nullable PolicySet active(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null || !Arrays.equals(record.key(), ACTIVE)) {
            return null;
        }
        try {
            return PolicySetJson.read(record.value());
        } catch (MalformedRecord | InvalidPolicies e) {
            // what can't be read is in force nowhere
            return null;
        }
    }
}

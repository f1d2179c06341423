package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.PolicyRecords;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.settings.InvalidSettings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
        PolicyRecords policies = new PolicyRecords();
        TopicEnd.read(connection, List.of(connection.topics().policies()), record -> accept(record, policies));
        return policies.active();
    }

    private static void accept(ConsumerRecord<byte[], byte[]> record, PolicyRecords policies) {
        policies.accept(record.key(), record.value(), record.timestamp());
    }

    /** Waits until the set of this revision, which was asked for, is put in force; false when that takes too long. */
    boolean await(String revision, long millis) throws InvalidSettings, Refused, InterruptedException {
        CountDownLatch seen = new CountDownLatch(1);
        PolicyRecords policies = new PolicyRecords();
        TopicFollower.Listener listener = new TopicFollower.Listener() {
            private boolean answered;
            private boolean caughtUp;

            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                accept(record, policies);
                PolicySet set = policies.active();
                // what is asked for is answered by a record behind it, also where it was in force before
                answered = record.value() != null
                        && Arrays.equals(record.key(), ACTIVE)
                        && set != null
                        && set.revision().equals(revision);
                tell();
            }

            @Override
            public void caughtUp() {
                caughtUp = true;
                tell();
            }

            private void tell() {
                if (answered && caughtUp) {
                    seen.countDown();
                }
            }
        };
        try (TopicFollower follower = new TopicFollower(
                connection.client(), List.of(connection.topics().policies()), listener)) {
            follower.start();
            return seen.await(millis, TimeUnit.MILLISECONDS);
        }
    }
}

package io.sluice.analyzer.run;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up this instance's place in the group. A restarted instance is handed its former assignment back without a new
 * rebalance, which is what we want, unless that assignment reported a missing topic: it would report it again, at each restart,
 * even when the topic is back.
 */
final class GroupExit {
    private static final Logger log = LoggerFactory.getLogger(GroupExit.class);
    private static final long PATIENCE_SECONDS = 5;

    private GroupExit() {}

    /** Tries to, for some seconds. When it can't, the place is lost as soon as the session times out. */
    static void leave(AnalyzerOptions options) {
        List<MemberToRemove> members = IntStream.rangeClosed(
                        1, options.analyzer().threads())
                // as Kafka Streams names its threads' consumers
                .mapToObj(thread -> new MemberToRemove(options.analyzer().instance() + "-" + thread))
                .toList();
        try (Admin admin = Admin.create(options.client())) {
            admin.removeMembersFromConsumerGroup(
                            options.applicationId(), new RemoveMembersFromConsumerGroupOptions(members))
                    .all()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            log.debug("the place in the group stays until the session times out", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.sluice.analyzer.run;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.load.LoadBounds;
import io.sluice.analyzer.topology.Fleet;
import io.sluice.analyzer.topology.FleetListener;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the control topics to their ends, goes on following them, and takes part in choosing the policies in force. */
final class FleetFollowing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FleetFollowing.class);
    private static final long HISTORY_SECONDS = 60;

    private final Fleet fleet;
    private final PolicyPublisher publisher;
    private final FleetListener listener;
    private final TopicFollower follower;

    /** @param meters how many there are */
    FleetFollowing(AnalyzerOptions options, TopicNames topics, Fleet fleet, int meters) {
        this.fleet = fleet;
        publisher = new PolicyPublisher(options.client(), topics.policies());
        ActivePolicies policies = new ActivePolicies(options.policies(), this::follow, publisher::publish);
        LoadBounds bounds = new LoadBounds(meters, options.analyzer().skew());
        listener = new FleetListener(fleet, topics, policies, bounds, System::nanoTime);
        follower = new TopicFollower(
                options.client(),
                List.of(topics.gateLocks(), topics.loads(), topics.policies(), topics.operator(), topics.agents()),
                listener);
    }

    /** Returns when all that was there has been read. */
    void start() throws CannotStart {
        follower.start();
        try {
            if (!listener.ready().await(HISTORY_SECONDS, TimeUnit.SECONDS)) {
                throw new CannotStart("kafka: the decisions so far could not be read in " + HISTORY_SECONDS + " s: "
                        + follower.trouble());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    private void follow(PolicySet policies) {
        PolicySet before = fleet.policies();
        if (before == null || !before.revision().equals(policies.revision())) {
            log.info(
                    "following {}, revision {}",
                    Plural.of(policies.policies().size(), "policy", "policies"),
                    policies.revision());
            fleet.policies(policies);
        }
    }

    @Override
    public void close() {
        try {
            follower.close();
        } finally {
            publisher.close();
        }
    }
}

package io.sluice.agent;

import io.sluice.agent.internal.feed.DecisionReader;
import io.sluice.agent.internal.feed.HeartbeatSource;
import io.sluice.agent.internal.feed.Publisher;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.log.LogQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The threads of an agent: the reader of decisions, the publisher of the access log and the heartbeats, and the maintenance. Thread-safe. */
final class AgentThreads implements AutoCloseable {
    private final DecisionReader reader;
    private final Publisher publisher;
    private final AgentMaintenance maintenance;

    /** @param failed called when a run of the maintenance fails */
    AgentThreads(
            AgentSettings settings,
            DecisionState decisions,
            LogQueue log,
            HeartbeatSource heartbeat,
            LongSupplier ticks,
            Runnable failed) {
        reader = new DecisionReader(settings.kafka(), settings.id(), settings.topics(), decisions, ticks);
        publisher = new Publisher(
                settings.kafka(),
                settings.id(),
                settings.topics(),
                settings.logTopic(),
                settings.logSpread(),
                log,
                heartbeat,
                settings.heartbeatMillis());
        maintenance = new AgentMaintenance(decisions, ticks, this::renewClients, failed);
    }

    void start() {
        maintenance.start();
        reader.start();
        publisher.start();
    }

    private void renewClients() {
        reader.renew();
        publisher.renew();
    }

    /** Returns how many records of the decision topics could not be read. */
    long malformed() {
        return reader.malformed();
    }

    /** Returns how many records of the decision topics have a format of a newer version. */
    long newer() {
        return reader.newer();
    }

    /** Returns how many records of the decision topics have no valid signature. */
    long unsigned() {
        return reader.unsigned();
    }

    /** Returns why records are not read, records are not sent or the maintenance fails, in words; empty when all work. */
    List<String> reasons() {
        List<String> reasons = new ArrayList<>(reader.reasons());
        skipped(reasons, malformed(), "could not be read");
        skipped(reasons, newer(), "have a format of a newer version");
        skipped(reasons, unsigned(), "have no valid signature");
        String unsent = publisher.trouble();
        if (unsent != null) {
            reasons.add(unsent);
        }
        String failing = maintenance.trouble();
        if (failing != null) {
            reasons.add(failing);
        }
        return reasons;
    }

    /** Reported until a restart: a skipped record may be a lock, a release or a policy. */
    private static void skipped(List<String> reasons, long records, String why) {
        if (records > 0) {
            reasons.add(records + " records of the decision topics " + why + " and were skipped since the start");
        }
    }

    /** Sends the rest of the access log for at most two seconds, then ends all threads. */
    @Override
    public void close() {
        publisher.close();
        reader.close();
        maintenance.close();
    }
}

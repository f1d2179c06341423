package io.sluice.agent;

import io.sluice.agent.internal.feed.DecisionReader;
import io.sluice.agent.internal.feed.HeartbeatSource;
import io.sluice.agent.internal.feed.Publisher;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Reason;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentReason;
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
            StatusReporter report,
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
                heartbeat(report),
                settings.heartbeatMillis());
        maintenance = new AgentMaintenance(decisions, ticks, this::renewClients, failed);
    }

    private HeartbeatSource heartbeat(StatusReporter report) {
        return new HeartbeatSource() {
            @Override
            public AgentHeartbeat now() {
                return report.heartbeat(AgentThreads.this);
            }

            @Override
            public void appended(long time) {
                report.appended(time);
            }
        };
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

    /** Returns why records are not read, records are not sent or the maintenance fails; empty when all work. */
    List<Reason> reasons() {
        List<Reason> reasons = new ArrayList<>(reader.reasons());
        reasons.addAll(publisher.reasons());
        String failing = maintenance.trouble();
        if (failing != null) {
            reasons.add(new Reason(AgentReason.MAINTENANCE_FAILS, failing));
        }
        return reasons;
    }

    /** Sends the rest of the access log for at most two seconds, then ends all threads. */
    @Override
    public void close() {
        publisher.close();
        reader.close();
        maintenance.close();
    }
}

package io.sluice.analyzer.cli;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The newest heartbeat of each agent. An agent that shut down is removed; a silent one stays for an hour. Thread-safe. */
final class AgentsView implements Followed.View {
    private final Map<String, Heard> agents = new HashMap<>();
    private long newest;
    private long unreadable;

    /** A heartbeat, and the broker's time of it. */
    record Heard(AgentHeartbeat heartbeat, long append) {
        boolean alive(long now) {
            return now - append <= FleetCounts.ALIVE_MILLIS;
        }
    }

    @Override
    public synchronized void accept(ConsumerRecord<byte[], byte[]> record) {
        newest = Math.max(newest, record.timestamp());
        if (record.key() == null) {
            return;
        }
        if (record.value() == null) {
            agents.remove(new String(record.key(), StandardCharsets.UTF_8));
            return;
        }
        try {
            AgentHeartbeatJson.read(record.value())
                    .ifPresent(beat -> agents.put(beat.agent(), new Heard(beat, record.timestamp())));
        } catch (MalformedRecord e) {
            unreadable++;
        }
    }

    @Override
    public synchronized void again() {
        agents.clear();
        unreadable = 0;
    }

    /** By service, then by name. */
    synchronized List<Heard> all() {
        List<Heard> all = new ArrayList<>(agents.values());
        all.sort(Comparator.<Heard, String>comparing(heard -> heard.heartbeat.service())
                .thenComparing(heard -> heard.heartbeat.agent()));
        return all;
    }

    /** The newest append time seen, 0 for none. */
    synchronized long newest() {
        return newest;
    }

    /** How many heartbeats could not be read. */
    synchronized long unreadable() {
        return unreadable;
    }
}

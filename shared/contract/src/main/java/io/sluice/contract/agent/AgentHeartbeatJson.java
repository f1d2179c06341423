package io.sluice.contract.agent;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.Envelope;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Agent heartbeats as JSON: keys and values of the agents topic. Thread-safe. */
public final class AgentHeartbeatJson {
    private static final String TYPE = "agent";

    private AgentHeartbeatJson() {}

    /** The key of an agent's heartbeats: its id. */
    public static byte[] key(String agent) {
        return agent.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] write(AgentHeartbeat heartbeat) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            to.writeStringField("agent", heartbeat.agent());
            to.writeStringField("service", heartbeat.service());
            to.writeStringField("freshness", heartbeat.freshness().spelling());
            to.writeNumberField("locks", heartbeat.locks());
            to.writeNumberField("checks", heartbeat.checks());
            to.writeNumberField("rejections", heartbeat.rejections());
            to.writeNumberField("drops", heartbeat.drops());
            to.writeNumberField("time", heartbeat.time());
            writeCounts("rejectedByPolicy", heartbeat.rejectedByPolicy(), to);
            writeCounts("wouldRejectByPolicy", heartbeat.wouldRejectByPolicy(), to);
            if (heartbeat.partsAccepted()) {
                to.writeBooleanField("partsAccepted", true);
            }
            writeTexts("unanswered", heartbeat.unanswered(), to);
            writeTexts("reasons", heartbeat.reasons(), to);
            if (heartbeat.run() != 0) {
                to.writeNumberField("run", heartbeat.run());
            }
            Envelope.end(to, TYPE);
        });
    }

    private static void writeTexts(String field, List<String> texts, JsonGenerator to) throws IOException {
        if (!texts.isEmpty()) {
            BoundedJson.texts(field, texts, to);
        }
    }

    private static void writeCounts(String field, Map<String, Long> counts, JsonGenerator to) throws IOException {
        if (counts.isEmpty()) {
            return;
        }
        to.writeObjectFieldStart(field);
        for (Map.Entry<String, Long> count : new TreeMap<>(counts).entrySet()) {
            to.writeNumberField(count.getKey(), count.getValue());
        }
        to.writeEndObject();
    }

    /**
     * Reads a record of the agents topic; empty for one of a higher format, to be counted and ignored.
     *
     * @throws MalformedRecord when it cannot be read, or stands under the key of another agent
     */
    public static Optional<AgentHeartbeat> read(byte @Nullable [] key, byte[] value) throws MalformedRecord {
        Optional<AgentHeartbeat> beat = read(value);
        if (beat.isPresent() && !Arrays.equals(key, key(beat.get().agent()))) {
            throw new MalformedRecord("agent heartbeat.agent: another than the record's key names");
        }
        return beat;
    }

    /** Reads a heartbeat; empty for one of a higher format, to be counted and ignored. */
    public static Optional<AgentHeartbeat> read(byte[] value) throws MalformedRecord {
        Envelope envelope = Envelope.read(value, "agent heartbeat");
        if (envelope.newer()) {
            return Optional.empty();
        }
        if (!envelope.type().equals(TYPE)) {
            throw new MalformedRecord("agent heartbeat.type: not an agent's heartbeat");
        }
        try (JsonObjectReader object = JsonObjectReader.of(value, "agent heartbeat")) {
            return Optional.of(heartbeat(object));
        }
    }

    private static AgentHeartbeat heartbeat(JsonObjectReader object) throws MalformedRecord {
        @Nullable String agent = null;
        @Nullable String service = null;
        @Nullable Freshness freshness = null;
        long locks = 0;
        long checks = 0;
        long rejections = 0;
        long drops = 0;
        long time = 0;
        Map<String, Long> rejectedByPolicy = Map.of();
        Map<String, Long> wouldRejectByPolicy = Map.of();
        boolean partsAccepted = false;
        List<String> unanswered = List.of();
        List<String> reasons = List.of();
        long run = 0;
        while (object.next()) {
            switch (object.field()) {
                case "agent" -> agent = object.name(AgentHeartbeat.LONGEST_NAME);
                case "service" -> service = object.name(AgentHeartbeat.LONGEST_NAME);
                case "freshness" -> freshness = freshness(object);
                case "locks" -> locks = object.whole(0, Long.MAX_VALUE);
                case "checks" -> checks = object.whole(0, Long.MAX_VALUE);
                case "rejections" -> rejections = object.whole(0, Long.MAX_VALUE);
                case "drops" -> drops = object.whole(0, Long.MAX_VALUE);
                case "time" -> time = object.whole(0, Long.MAX_VALUE);
                case "rejectedByPolicy" -> rejectedByPolicy = object.counts(Long.MAX_VALUE);
                case "wouldRejectByPolicy" -> wouldRejectByPolicy = object.counts(Long.MAX_VALUE);
                case "partsAccepted" -> partsAccepted = object.truth();
                case "unanswered" -> unanswered = object.texts();
                case "reasons" -> reasons = object.texts();
                case "run" -> run = object.whole(0, Long.MAX_VALUE);
                default -> object.skip();
            }
        }
        return new AgentHeartbeat(
                object.required(agent, "agent"),
                object.required(service, "service"),
                object.required(freshness, "freshness"),
                locks,
                checks,
                rejections,
                drops,
                time,
                rejectedByPolicy,
                wouldRejectByPolicy,
                partsAccepted,
                unanswered,
                reasons,
                run);
    }

    private static Freshness freshness(JsonObjectReader object) throws MalformedRecord {
        return switch (object.text()) {
            case "cold" -> Freshness.COLD;
            case "fresh" -> Freshness.FRESH;
            case "stale" -> Freshness.STALE;
            default -> throw object.wrong("cold, fresh or stale");
        };
    }
}

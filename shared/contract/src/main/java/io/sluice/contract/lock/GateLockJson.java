package io.sluice.contract.lock;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.Envelope;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Gate locks and analyzer heartbeats as JSON: the values of the gate-locks topic. Thread-safe. */
public final class GateLockJson {
    private static final String LOCK = "lock";
    private static final String HEARTBEAT = "heartbeat";

    private GateLockJson() {}

    /** @throws IllegalArgumentException for a lock of mode {@link Mode#UNKNOWN}, which must not be written */
    public static byte[] write(GateRecord record) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            if (record instanceof GateLock lock) {
                fields(lock, to);
                Envelope.end(to, LOCK);
            } else if (record instanceof AnalyzerHeartbeat heartbeat) {
                write(heartbeat, to);
                version(heartbeat.version(), to);
                Envelope.end(to, HEARTBEAT);
            }
        });
    }

    /**
     * A lock as a value inside another record: an object without an envelope.
     *
     * @throws IllegalArgumentException for a lock of mode {@link Mode#UNKNOWN}
     */
    public static void write(GateLock lock, JsonGenerator to) throws IOException {
        to.writeStartObject();
        fields(lock, to);
        to.writeEndObject();
    }

    /** A lock inside another record. */
    public static GateLock read(JsonObjectReader object) throws MalformedRecord {
        return GateLockFields.read(object);
    }

    private static void fields(GateLock lock, JsonGenerator to) throws IOException {
        if (lock.mode() == Mode.UNKNOWN) {
            throw new IllegalArgumentException("a lock of an unknown mode is read, never written");
        }
        to.writeStringField("policy", lock.policy());
        BoundedJson.texts("subject", lock.subject(), to);
        if (lock.per() != null) {
            BoundedJson.texts("per", lock.per(), to);
        }
        to.writeStringField("mode", lock.mode().spelling());
        if (lock.rate() != 0) {
            to.writeNumberField("rate", lock.rate());
        }
        if (lock.ratio() != 0) {
            to.writeNumberField("ratio", lock.ratio());
        }
        to.writeNumberField("ttlMillis", lock.ttlMillis());
        to.writeNumberField("since", lock.since());
        to.writeNumberField("until", lock.until());
        to.writeNumberField("level", lock.level());
        if (lock.shadow()) {
            to.writeBooleanField("shadow", true);
        }
        if (lock.guarded()) {
            to.writeBooleanField("guarded", true);
        }
        if (lock.evidence() != null) {
            to.writeFieldName("evidence");
            EvidenceJson.write(lock.evidence(), to);
        }
        version(lock.version(), to);
    }

    private static void write(AnalyzerHeartbeat heartbeat, JsonGenerator to) throws IOException {
        to.writeStringField("instance", heartbeat.instance());
        to.writeNumberField("time", heartbeat.time());
        numbers("liveAgents", heartbeat.liveAgents(), to);
        if (!heartbeat.active().isEmpty()) {
            numbers("active", heartbeat.active(), to);
        }
        if (!heartbeat.enforced().isEmpty()) {
            numbers("enforced", heartbeat.enforced(), to);
        }
        if (heartbeat.refused() > 0) {
            to.writeNumberField("refused", heartbeat.refused());
        }
        if (heartbeat.positions()) {
            to.writeBooleanField("positions", true);
        }
        if (heartbeat.agentsPart()) {
            to.writeBooleanField("agentsPart", true);
        }
        if (heartbeat.countsPart()) {
            to.writeBooleanField("countsPart", true);
        }
    }

    private static void numbers(String field, Map<String, Integer> numbers, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart(field);
        for (Map.Entry<String, Integer> number : numbers.entrySet()) {
            to.writeNumberField(number.getKey(), number.getValue());
        }
        to.writeEndObject();
    }

    private static void version(Version version, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart("version");
        to.writeStringField("task", version.task());
        to.writeNumberField("epoch", version.epoch());
        to.writeNumberField("seq", version.seq());
        to.writeEndObject();
    }

    /**
     * @return empty for a record of a higher format: to be counted and ignored
     * @throws MalformedRecord for everything that is not a lock or a heartbeat
     */
    public static Optional<GateRecord> read(byte[] value) throws MalformedRecord {
        GateLock written = WrittenLock.read(value);
        if (written != null) {
            return Optional.of(written);
        }
        Envelope envelope = Envelope.read(value, "gate record");
        if (envelope.newer()) {
            return Optional.empty();
        }
        return switch (envelope.type()) {
            case LOCK -> Optional.of(lock(value));
            case HEARTBEAT -> Optional.of(heartbeat(value));
            default -> throw new MalformedRecord("gate record.type: neither a lock nor a heartbeat");
        };
    }

    private static GateLock lock(byte[] value) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(value, LOCK)) {
            return GateLockFields.read(object);
        }
    }

    private static AnalyzerHeartbeat heartbeat(byte[] value) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(value, HEARTBEAT)) {
            Version version = null;
            String instance = null;
            long time = 0;
            Map<String, Integer> liveAgents = Map.of();
            Map<String, Integer> active = Map.of();
            Map<String, Integer> enforced = Map.of();
            long refused = 0;
            boolean positions = false;
            boolean agentsPart = false;
            boolean countsPart = false;
            while (object.next()) {
                switch (object.field()) {
                    case "version" -> version = version(object.object());
                    case "instance" -> instance = object.text();
                    case "time" -> time = object.whole(0, Long.MAX_VALUE);
                    case "liveAgents" -> liveAgents = object.wholes(0, Integer.MAX_VALUE);
                    case "active" -> active = object.wholes(0, Integer.MAX_VALUE);
                    case "enforced" -> enforced = object.wholes(0, Integer.MAX_VALUE);
                    case "refused" -> refused = object.whole(0, Long.MAX_VALUE);
                    case "positions" -> positions = object.truth();
                    case "agentsPart" -> agentsPart = object.truth();
                    case "countsPart" -> countsPart = object.truth();
                    default -> object.skip();
                }
            }
            return new AnalyzerHeartbeat(
                    object.required(version, "version"),
                    object.required(instance, "instance"),
                    time,
                    liveAgents,
                    active,
                    enforced,
                    refused,
                    positions,
                    agentsPart,
                    countsPart);
        }
    }

    static Version version(JsonObjectReader object) throws MalformedRecord {
        String task = null;
        Long epoch = null;
        Long seq = null;
        while (object.next()) {
            switch (object.field()) {
                case "task" -> task = object.name(128);
                case "epoch" -> epoch = object.whole(0, Long.MAX_VALUE);
                case "seq" -> seq = object.whole(0, Long.MAX_VALUE);
                default -> object.skip();
            }
        }
        return new Version(object.required(task, "task"), object.required(epoch, "epoch"), object.required(seq, "seq"));
    }
}

package io.sluice.contract.operator;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.Envelope;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.Mode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operator records as JSON: keys and values of the operator topic. Thread-safe. */
public final class OperatorJson {
    static final String LOCK = "operator-lock";
    static final String RELEASE = "operator-release";
    static final String ENFORCE = "operator-enforce";
    // no policy's name has a $
    private static final String KILL_SWITCH = "$enforce";

    private OperatorJson() {}

    /** The elements of the composite key that a record stands under. */
    public static List<String> key(OperatorRecord record) {
        if (record instanceof OperatorRecord.Lock lock) {
            return GateKeys.key(lock.policy(), lock.subject());
        }
        if (record instanceof OperatorRecord.Release release) {
            return GateKeys.key(release.policy(), release.subject());
        }
        String agent = ((OperatorRecord.Enforce) record).agent();
        return agent == null ? List.of(KILL_SWITCH) : List.of(KILL_SWITCH, agent);
    }

    public static byte[] write(OperatorRecord record) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            String type;
            if (record instanceof OperatorRecord.Lock lock) {
                type = LOCK;
                subject(lock.policy(), lock.subject(), lock.per(), to);
                to.writeStringField("mode", lock.mode().spelling());
                if (lock.mode() == Mode.THROTTLE) {
                    to.writeNumberField("rate", lock.rate());
                }
            } else if (record instanceof OperatorRecord.Release release) {
                type = RELEASE;
                subject(release.policy(), release.subject(), release.per(), to);
            } else {
                type = ENFORCE;
                OperatorRecord.Enforce enforce = (OperatorRecord.Enforce) record;
                if (enforce.agent() != null) {
                    to.writeStringField("agent", enforce.agent());
                }
                to.writeBooleanField("enforce", enforce.enforce());
            }
            to.writeNumberField("ttlMillis", record.ttlMillis());
            to.writeStringField("author", record.author());
            to.writeStringField("reason", record.reason());
            to.writeNumberField("at", record.at());
            Envelope.end(to, type);
        });
    }

    private static void subject(String policy, List<String> subject, @Nullable List<String> per, JsonGenerator to)
            throws IOException {
        to.writeStringField("policy", policy);
        BoundedJson.texts("subject", subject, to);
        if (per != null) {
            BoundedJson.texts("per", per, to);
        }
    }

    /**
     * Reads the key of a record that was deleted.
     *
     * @throws MalformedRecord for a key that no record has
     */
    public static List<String> readKey(byte[] key) throws MalformedRecord {
        List<String> elements = CompositeKey.read(key);
        if (elements.isEmpty()) {
            throw new MalformedRecord(
                    "operator record: found the key [], allowed are a policy and the values of a subject");
        }
        return elements;
    }

    /**
     * @return empty for a record of a higher format: to be counted and ignored
     * @throws MalformedRecord for everything else, also for a record that stands under a key which is not its own
     */
    public static Optional<OperatorRecord> read(byte[] key, byte[] value) throws MalformedRecord {
        Envelope envelope = Envelope.read(value, "operator record");
        if (envelope.newer()) {
            return Optional.empty();
        }
        OperatorRecord record = OperatorFields.read(envelope.type(), value);
        if (!key(record).equals(CompositeKey.read(key))) {
            throw new MalformedRecord("operator record: its key names another subject than its value");
        }
        return Optional.of(record);
    }
}

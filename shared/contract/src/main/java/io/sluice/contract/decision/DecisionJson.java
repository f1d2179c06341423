package io.sluice.contract.decision;

import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.Envelope;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.operator.OperatorJson;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decision records as JSON: keys and values of the decisions topic. An operator's action has the bytes that it has on the
 * operator topic. Thread-safe.
 */
public final class DecisionJson {
    private static final String TRANSITION = "transition";

    private DecisionJson() {}

    /** The elements of the composite key that a record stands under: those of its lock or operator record. */
    public static List<String> key(DecisionRecord record) {
        return record instanceof LockTransition transition
                ? GateKeys.of(transition.lock())
                : OperatorJson.key(((OperatorAction) record).record());
    }

    public static byte[] write(DecisionRecord record) {
        if (record instanceof OperatorAction action) {
            return OperatorJson.write(action.record());
        }
        LockTransition transition = (LockTransition) record;
        return BoundedJson.write(to -> {
            to.writeStartObject();
            to.writeStringField("event", transition.event().spelling());
            if (transition.cause() != null) {
                to.writeStringField("cause", transition.cause().spelling());
            }
            to.writeNumberField("at", transition.at());
            if (transition.suppressed() > 0) {
                to.writeNumberField("suppressed", transition.suppressed());
            }
            to.writeFieldName("lock");
            GateLockJson.write(transition.lock(), to);
            Envelope.end(to, TRANSITION);
        });
    }

    /**
     * @return empty for a record of a higher format: to be counted and ignored
     * @throws MalformedRecord for everything else, also for a record that stands under a key which is not its own
     */
    public static Optional<DecisionRecord> read(byte @Nullable [] key, byte[] value) throws MalformedRecord {
        Envelope envelope = Envelope.read(value, "decision");
        if (envelope.newer()) {
            return Optional.empty();
        }
        if (!envelope.type().equals(TRANSITION)) {
            return OperatorJson.read(key == null ? new byte[0] : key, value).map(OperatorAction::new);
        }
        LockTransition transition = transition(value);
        if (!Arrays.equals(CompositeKey.bytes(key(transition)), key)) {
            throw new MalformedRecord("decision: its key names another subject than its value");
        }
        return Optional.of(transition);
    }

    private static LockTransition transition(byte[] value) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(value, "decision")) {
            LockTransition.Event event = null;
            LockTransition.Cause cause = null;
            Long at = null;
            long suppressed = 0;
            GateLock lock = null;
            while (object.next()) {
                switch (object.field()) {
                    case "event" -> event = spelt(LockTransition.Event.values(), object.text());
                    case "cause" -> cause = spelt(LockTransition.Cause.values(), object.text());
                    case "at" -> at = object.whole(0, Long.MAX_VALUE);
                    case "suppressed" -> suppressed = object.whole(0, Long.MAX_VALUE);
                    case "lock" -> lock = GateLockJson.read(object.object());
                    default -> object.skip();
                }
            }
            return new LockTransition(
                    object.required(event, "event"),
                    cause,
                    object.required(at, "at"),
                    object.required(lock, "lock"),
                    suppressed);
        }
    }

    /** The value that is spelt so, the last one, {@code UNKNOWN}, when this version knows none. */
    private static <E extends Enum<E>> E spelt(E[] values, String spelling) {
        for (E value : values) {
            if (value.name().equalsIgnoreCase(spelling)) {
                return value;
            }
        }
        return values[values.length - 1];
    }
}

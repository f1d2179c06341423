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
    private static final String POLICY_SET = "policy-set-change";
    // no policy's name has a $
    private static final List<String> POLICY_SET_KEY = List.of("$policies");

    private DecisionJson() {}

    /** The elements of the composite key that a record stands under: those of its lock or operator record, or {@code $policies}. */
    public static List<String> key(DecisionRecord record) {
        if (record instanceof PolicySetChange) {
            return POLICY_SET_KEY;
        }
        return record instanceof LockTransition transition
                ? GateKeys.of(transition.lock())
                : OperatorJson.key(((OperatorAction) record).record());
    }

    public static byte[] write(DecisionRecord record) {
        if (record instanceof OperatorAction action) {
            return OperatorJson.write(action.record());
        }
        if (record instanceof PolicySetChange change) {
            return write(change);
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

    private static byte[] write(PolicySetChange change) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            to.writeStringField("revision", change.revision());
            to.writeStringField("before", change.before());
            to.writeStringField("author", change.author());
            to.writeStringField("reason", change.reason());
            to.writeNumberField("at", change.at());
            Envelope.end(to, POLICY_SET);
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
        if (envelope.type().equals(POLICY_SET)) {
            return Optional.of(ownKey(key, change(value)));
        }
        if (!envelope.type().equals(TRANSITION)) {
            return OperatorJson.read(key == null ? new byte[0] : key, value).map(OperatorAction::new);
        }
        return Optional.of(ownKey(key, transition(value)));
    }

    private static DecisionRecord ownKey(byte @Nullable [] key, DecisionRecord record) throws MalformedRecord {
        if (!Arrays.equals(CompositeKey.bytes(key(record)), key)) {
            throw new MalformedRecord("decision: its key names another subject than its value");
        }
        return record;
    }

    private static PolicySetChange change(byte[] value) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(value, "decision")) {
            String revision = null;
            String before = "";
            String author = null;
            String reason = null;
            long at = 0;
            while (object.next()) {
                switch (object.field()) {
                    case "revision" -> revision = object.name(64);
                    case "before" -> before = object.text();
                    case "author" -> author = object.text();
                    case "reason" -> reason = object.text();
                    case "at" -> at = object.whole(0, Long.MAX_VALUE);
                    default -> object.skip();
                }
            }
            return new PolicySetChange(
                    object.required(revision, "revision"),
                    before,
                    object.required(author, "author"),
                    object.required(reason, "reason"),
                    at);
        }
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

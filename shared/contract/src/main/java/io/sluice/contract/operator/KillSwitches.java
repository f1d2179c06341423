package io.sluice.contract.operator;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.LockValidity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where operators have switched enforcement off. One entry for each agent that was named, and one for all; what is over
 * is dropped when the next record comes. Thread-safe.
 */
public final class KillSwitches {
    private final Map<String, Off> offs = new TreeMap<>();

    /**
     * Enforcement is off.
     *
     * @param agent the agent, or {@code null} for all
     * @param since when the broker appended the record, epoch milliseconds
     * @param end broker time at which it ends
     */
    public record Off(@Nullable String agent, String author, String reason, long since, long end) {}

    /**
     * Takes a record of the operator topic; those of other kinds change nothing.
     *
     * @param key the elements of its key
     * @param record {@code null} for a tombstone
     * @param append when the broker appended it, epoch milliseconds
     */
    public synchronized void accept(List<String> key, @Nullable OperatorRecord record, long append) {
        offs.values().removeIf(off -> !LockValidity.holds(off.end, append));
        String name = String.join("\u0000", key);
        offs.remove(name);
        if (record instanceof OperatorRecord.Enforce enforce && !enforce.enforce()) {
            long end = LockValidity.operatorEnd(enforce.ttlMillis(), append);
            offs.put(name, new Off(enforce.agent(), enforce.author(), enforce.reason(), append, end));
        }
    }

    /**
     * Takes a record of the operator topic as it is stored. One that cannot be read is ignored: no agent obeys it either.
     *
     * @param append when the broker appended it, epoch milliseconds
     */
    public void read(byte @Nullable [] key, byte @Nullable [] value, long append) {
        if (key == null) {
            return;
        }
        try {
            OperatorRecord record =
                    value == null ? null : OperatorJson.read(key, value).orElse(null);
            // a newer format leaves what was there in force
            if (value == null || record != null) {
                accept(CompositeKey.read(key), record, append);
            }
        } catch (MalformedRecord e) {
            // ignored, as by agents
        }
    }

    /** The topic is read from its beginning again. */
    public synchronized void clear() {
        offs.clear();
    }

    /** Kill switches that are off at this broker time: everywhere first, then by agent. */
    public synchronized List<Off> off(long brokerTime) {
        List<Off> now = new ArrayList<>(offs.values());
        now.removeIf(off -> !LockValidity.holds(off.end, brokerTime));
        return now;
    }

    /** Returns whether nothing is rejected anywhere at this broker time. */
    public boolean everywhere(long brokerTime) {
        return off(brokerTime).stream().anyMatch(off -> off.agent() == null);
    }
}

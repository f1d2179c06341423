package io.sluice.analyzer.decide;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.Map;

/**
 * The bounds of what a usage record of a meter can contain. A forged one of a future time would be the newest of its task for ever:
 * stored windows expire by it, and whatever follows would be too old to be kept. One of a time just after the epoch would have windows that
 * begin before it. Not thread-safe.
 */
public final class UsageBounds {
    /** Two days after the epoch, in epoch milliseconds: the longest window that ends later does not begin before it. */
    public static final long EARLIEST = 2 * 24 * 60 * 60 * 1_000L;

    /** The clocks of two brokers may differ by so much: one dates the request, the other its usage. */
    private static final long BROKERS_MILLIS = 60_000;

    private final int meters;
    private final long aheadMillis;
    private Map<String, Policy> policies = Map.of();

    /**
     * @param meters how many meters there are
     * @param skewMillis how far an event may be ahead of the broker's clock
     */
    public UsageBounds(int meters, long skewMillis) {
        this.meters = meters;
        aheadMillis = skewMillis + BROKERS_MILLIS;
    }

    /** Replaces the policies whose panes and subjects are known. */
    public void policies(PolicySet set) {
        Map<String, Policy> known = new HashMap<>();
        for (Policy policy : set.policies()) {
            known.put(policy.revision(), policy);
        }
        policies = known;
    }

    /**
     * Checks a partial sum. That of a policy that is not known cannot be checked in full; it is not counted either.
     *
     * @param appended when the broker appended the record, epoch milliseconds
     * @throws MalformedRecord when no meter can have written it
     */
    public void check(UsageKey key, UsagePartial partial, long appended) throws MalformedRecord {
        check(partial.origin());
        check("usage.newestTime", partial.newestTime(), appended);
        Policy policy = policies.get(key.policyRevision());
        if (policy == null) {
            return;
        }
        Window window = policy.window();
        if (window.paneOf(partial.firstTime()) != partial.pane()
                || window.paneOf(partial.newestTime()) != partial.pane()) {
            throw new MalformedRecord("usage.pane: " + partial.pane() + " is not the pane of its times, "
                    + partial.firstTime() + " to " + partial.newestTime());
        }
        if (!partial.load() && key.subject().size() != policy.per().size()) {
            throw new MalformedRecord("usage.subject: " + key.subject().size() + " values, where the policy counts by "
                    + policy.per().size());
        }
    }

    /**
     * Checks how far a meter has read.
     *
     * @param appended when the broker appended the record, epoch milliseconds
     * @throws MalformedRecord when no meter can have written it
     */
    public void check(MeterPosition position, long appended) throws MalformedRecord {
        check(position.origin());
        check("usage.position", position.position(), appended);
    }

    private void check(Origin origin) throws MalformedRecord {
        if (origin.task() >= meters) {
            // all would wait for one that never reads on
            throw new MalformedRecord("usage.task: there is no such meter: " + origin.task() + " of " + meters);
        }
    }

    private void check(String field, long time, long appended) throws MalformedRecord {
        if (time < EARLIEST) {
            throw new MalformedRecord(field + ": " + time + " is before " + EARLIEST + ", the earliest time");
        }
        // without a sum, which could overflow
        if (time - aheadMillis > appended) {
            throw new MalformedRecord(field + ": " + time + " is more than " + aheadMillis
                    + " ms after the record was appended, " + appended);
        }
    }
}

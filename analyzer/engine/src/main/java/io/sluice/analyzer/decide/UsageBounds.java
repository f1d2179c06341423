package io.sluice.analyzer.decide;

import io.sluice.analyzer.load.LoadBounds;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.Map;

/**
 * The bounds of what a usage record of a meter can contain: those of {@link LoadBounds}, panes and subjects. A forged one of a future time
 * would be the newest of its task for ever: stored windows expire by it, and whatever follows would be too old to be kept. Not thread-safe.
 */
public final class UsageBounds {
    private static final String RECORD = "usage";

    private final LoadBounds bounds;
    private Map<String, Policy> policies = Map.of();

    /**
     * @param meters how many meters there are
     * @param skewMillis how far an event may be ahead of the broker's clock
     */
    public UsageBounds(int meters, long skewMillis) {
        bounds = new LoadBounds(meters, skewMillis);
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
        bounds.origin(RECORD, partial.origin(), appended);
        bounds.time("usage.newestTime", partial.newestTime(), appended);
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
        bounds.check(RECORD, position, appended);
    }
}

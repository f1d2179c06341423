package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent granted by its shares while a store was away, to be charged once it is back: otherwise its quotas, full meanwhile, would grant a second
 * burst. While the store is away, permits count as long as they would be missing from a bucket of the share's rate and size; while it is returning,
 * other agents use what returns there, and all permits count. Up to {@value #MOST} quotas; further ones are not reported. Thread-safe.
 */
final class LocalGrants {
    static final int MOST = 10_000;
    private static final double MILLI = 1e6;

    private final Map<QuotaKey, Owed> owed = new HashMap<>();
    private volatile boolean empty = true;

    /** @param agents the number of shares; 0 when all permits count */
    private record Owed(QuotaCharge charge, double permits, long at, int agents) {
        double leaked(long now) {
            if (agents == 0) {
                return permits;
            }
            QuotaLimit limit = charge.limit();
            double back = Math.max(0, now - at) / MILLI * limit.permits() / limit.perMillis() / agents;
            return Math.max(0, permits - back);
        }
    }

    /**
     * Adds permits that were granted, or with negative permits returned.
     *
     * @param agents the number of shares; 0 when the store is returning
     * @return false if there was no room
     */
    synchronized boolean add(QuotaCharge charge, int agents, long now) {
        QuotaKey key = QuotaKey.of(charge);
        Owed known = owed.get(key);
        if (known == null && owed.size() >= MOST) {
            return false;
        }
        double most =
                agents == 0 ? Double.MAX_VALUE : Math.max(1, charge.limit().burst() / agents);
        double permits = Math.max(0, charge.permits() + (known == null ? 0 : known.leaked(now)));
        owed.put(key, new Owed(charge, Math.min(most, permits), now, agents));
        empty = false;
        return true;
    }

    /** Returns whether nothing is to be charged. */
    boolean isEmpty() {
        return empty;
    }

    /** Returns what is still missing, as charges, and removes it. */
    synchronized List<QuotaCharge> drain(long now) {
        List<QuotaCharge> charges = new ArrayList<>();
        for (Owed each : owed.values()) {
            long permits = (long) Math.ceil(each.leaked(now));
            if (permits > 0) {
                QuotaCharge of = each.charge();
                charges.add(new QuotaCharge(of.limit(), of.subject(), of.route(), permits));
            }
        }
        owed.clear();
        empty = true;
        return charges;
    }
}

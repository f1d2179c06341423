package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent granted by its shares while a store was away, to be charged once it is back: otherwise its quotas, full meanwhile, would grant a second
 * burst. While the store is away, permits count as long as they would be missing from a bucket of the share's rate and size. Those of a window or a log
 * count while it lasts: of the window before the present one a part, as in a sliding window. While the store is returning, other agents use what returns
 * there, and all permits count. Up to {@value #MOST} quotas; further ones are not reported. Thread-safe.
 */
final class LocalGrants {
    static final int MOST = 10_000;
    static final long NO_ROOM = -1;

    private static final double MILLI = 1e6;

    private final Map<QuotaKey, Owed> owed = new HashMap<>();
    private volatile boolean empty = true;
    private long round;

    /**
     * @param permits granted since {@code at}, or missing then
     * @param before of a window or a log: granted in the window before
     * @param agents the number of shares; 0 when all permits count
     */
    private record Owed(QuotaCharge charge, double permits, double before, long at, int agents) {

        /** What is owed at this time. */
        Owed at(long now) {
            QuotaLimit limit = charge.limit();
            double millis = Math.max(0, now - at) / MILLI;
            if (agents == 0) {
                return this;
            }
            if (limit.algorithm() == Algorithm.TOKEN_BUCKET) {
                double back = millis * limit.permits() / limit.perMillis() / agents;
                return new Owed(charge, Math.max(0, permits - back), 0, now, agents);
            }
            double windows = Math.floor(millis / limit.perMillis());
            long begun = at + (long) (windows * limit.perMillis() * MILLI);
            return windows == 0 ? this : new Owed(charge, 0, windows == 1 ? permits : 0, begun, agents);
        }

        /** The permits of all that is owed at this time. */
        double sum(long now) {
            Owed present = at(now);
            double part = Math.max(0, now - present.at) / MILLI / charge.limit().perMillis();
            return present.permits + present.before * Math.max(0, 1 - part);
        }

        Owed plus(QuotaCharge more, double most, int shares, long now) {
            Owed present = at(now);
            double sum = sum(now);
            double room = Math.max(most, sum) - sum;
            double permits = Math.max(0, present.permits + Math.min(room, (double) more.permits()));
            return new Owed(more, permits, present.before, present.at, shares);
        }
    }

    /**
     * Adds permits that were granted.
     *
     * @param agents the number of shares; 0 when the store is returning
     * @return for {@link #correct}; {@link #NO_ROOM} if nothing was added
     */
    synchronized long add(QuotaCharge charge, int agents, long now) {
        QuotaKey key = QuotaKey.of(charge);
        if (!owed.containsKey(key) && owed.size() >= MOST) {
            return NO_ROOM;
        }
        double most =
                agents == 0 ? Double.MAX_VALUE : Math.max(1, charge.limit().burst() / agents);
        // a corrected cost may be more than a share holds
        owed.put(key, known(charge, agents, now).plus(charge, most, agents, now));
        empty = false;
        return round;
    }

    /**
     * Adds the difference between what was used and what was granted, also beyond the share; negative for unused permits.
     *
     * @param since the result of {@link #add}
     * @return false if the store has been charged since
     */
    synchronized boolean correct(QuotaCharge difference, int agents, long now, long since) {
        if (since != round) {
            return since == NO_ROOM;
        }
        Owed corrected = known(difference, agents, now).plus(difference, Double.MAX_VALUE, agents, now);
        owed.put(QuotaKey.of(difference), corrected);
        return true;
    }

    private Owed known(QuotaCharge charge, int agents, long now) {
        Owed known = owed.get(QuotaKey.of(charge));
        return known == null ? new Owed(charge, 0, 0, now, agents) : known;
    }

    /** Returns whether nothing is to be charged. */
    boolean isEmpty() {
        return empty;
    }

    /** Returns what is still missing, as charges, and removes it. */
    synchronized List<QuotaCharge> drain(long now) {
        List<QuotaCharge> charges = new ArrayList<>();
        for (Owed each : owed.values()) {
            long permits = (long) Math.ceil(each.sum(now));
            if (permits > 0) {
                charges.add(each.charge().with(permits));
            }
        }
        owed.clear();
        round++;
        empty = true;
        return charges;
    }
}

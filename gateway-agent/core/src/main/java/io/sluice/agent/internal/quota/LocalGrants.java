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
    static final long NO_ROOM = -1;

    private static final double MILLI = 1e6;

    private final Map<QuotaKey, Owed> owed = new HashMap<>();
    private volatile boolean empty = true;
    private long round;

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
     * Adds permits that were granted.
     *
     * @param agents the number of shares; 0 when the store is returning
     * @return for {@link #correct}; {@link #NO_ROOM} if nothing was added
     */
    synchronized long add(QuotaCharge charge, int agents, long now) {
        QuotaKey key = QuotaKey.of(charge);
        Owed known = owed.get(key);
        if (known == null && owed.size() >= MOST) {
            return NO_ROOM;
        }
        double before = known == null ? 0 : known.leaked(now);
        double most =
                agents == 0 ? Double.MAX_VALUE : Math.max(1, charge.limit().burst() / agents);
        // a corrected cost may be more than a share holds
        owed.put(key, new Owed(charge, Math.min(Math.max(most, before), before + charge.permits()), now, agents));
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
        Owed known = owed.get(QuotaKey.of(difference));
        double before = known == null ? 0 : known.leaked(now);
        double permits = Math.max(0, before + difference.permits());
        owed.put(QuotaKey.of(difference), new Owed(difference, permits, now, agents));
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
                charges.add(each.charge().with(permits));
            }
        }
        owed.clear();
        round++;
        empty = true;
        return charges;
    }
}

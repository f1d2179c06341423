package io.sluice.quota.token;

/**
 * The permits of one subject. A bucket is the generic cell rate algorithm (ITU-T I.371) on whole nanoseconds; a window begins at a multiple of its
 * length. The same arithmetic as the agent's local limiters and as {@code request_token} in SQL. Guarded by the table, except {@link #idleAt}.
 */
final class Bucket {
    private static final long DAY = 86_400_000_000_000L;

    /** Nanoseconds: when a bucket is full, or a window ends. From then on this equals a new one. */
    volatile long idleAt;

    /** Until when this has been held to a chunk. */
    long heldAt = Long.MIN_VALUE;

    private long span;
    private long used;

    Bucket(TokenCharge charge) {
        this.span = charge.span();
    }

    /** Returns what a server that knows nothing of earlier permits may give at once. */
    static long chunk(long burst) {
        return burst == 0 ? 0 : Math.max(1, burst / 10);
    }

    /** Leaves at most a chunk and what has returned since then. */
    void hold(TokenCharge charge, long since, long now) {
        heldAt = since;
        move(charge, now);
        long taken = charge.burst() - chunk(charge.burst());
        if (!charge.window()) {
            idleAt = Math.max(idleAt, since + taken * charge.span());
        } else if (since >= idleAt - span) {
            used = Math.max(used, taken);
        }
    }

    /** Applies the charge's limit and the time. */
    void move(TokenCharge charge, long now) {
        if (charge.window()) {
            used = idleAt <= now ? 0 : used;
            idleAt = now - now % charge.span() + charge.span();
        } else if (span != charge.span() && idleAt > now) {
            // nudged up by more than a double's error: missing permits return at the new rate, never sooner
            double missing = (double) (idleAt - now) * charge.span() / span * (1 + 0x1p-50);
            idleAt = now + (long) Math.min(Math.ceil(missing), (double) TokenCharge.LONGEST);
        }
        span = charge.span();
    }

    /** Returns the permits there are, negative when some are owed. */
    long left(TokenCharge charge, long now) {
        return charge.window()
                ? charge.burst() - used
                : Math.floorDiv(charge.burst() * charge.span() - Math.max(0, idleAt - now), charge.span());
    }

    /** Returns nanoseconds until so many permits are there, of which the limit can have as many. */
    long wait(TokenCharge charge, long now) {
        return charge.window()
                ? idleAt - now
                : Math.max(0, idleAt - now) - (charge.burst() - charge.permits()) * charge.span();
    }

    /** Takes permits that are there. */
    void take(TokenCharge charge, long now) {
        if (charge.window()) {
            used += charge.permits();
        } else {
            idleAt = Math.max(idleAt, now) + charge.permits() * charge.span();
        }
    }

    /** Charges permits beyond the limit, a day of debt at most, or returns negative ones as far as any are missing. */
    void adjust(TokenCharge charge, long now) {
        if (charge.window()) {
            used = (long) Math.min(Math.max((double) used + charge.permits(), 0), DAY);
        } else {
            long missing = Math.max(0, idleAt - now);
            long most = Math.max(missing, charge.burst() * charge.span() + DAY);
            long least = Long.MIN_VALUE / 4;
            double cost = (double) charge.permits() * charge.span();
            long bounded = cost > most ? most : cost < least ? least : charge.permits() * charge.span();
            idleAt = now + Math.min(Math.max(missing + bounded, 0), most);
        }
    }
}

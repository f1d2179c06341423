package io.sluice.quota.token;

import io.sluice.agent.quota.QuotaAnswer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The buckets of a token server, in memory: a bounded number, each with keys of bounded length. Requests take turns, a microsecond each. Thread-safe.
 *
 * <p>A server does not know what others granted before it started, while it was frozen, or while it was not asked. So after its start and after each
 * {@link #rejoin} every bucket holds a chunk at most, a tenth of the burst, and what has refilled since. The same goes for buckets of subjects that
 * belong to another server, and for those that may have been evicted: beyond the bound, the bucket of another subject makes room. A request with more
 * charges than the bound leaves the excess until the next newcomer.
 */
public final class TokenTable {
    private static final int KEY_CHARS = 256;
    private static final int CANDIDATES = 8;

    private final Map<Key, Bucket> buckets = new ConcurrentHashMap<>();
    private final int most;
    private final LongSupplier clock;
    private long ownedSince;
    private long evictedAt = Long.MIN_VALUE;
    private final LongAdder evicted = new LongAdder();
    private volatile long rejoins;
    private Iterator<Map.Entry<Key, Bucket>> hand = buckets.entrySet().iterator();

    private record Key(String policy, String slot, boolean window, String subject) {}

    /**
     * Creates an empty table.
     *
     * @param most buckets at once, at least 1; each takes up to a KiB
     * @param full whether buckets are full at the start: nothing was granted before
     * @param clock nanoseconds since 1970 that only increase
     */
    public TokenTable(int most, boolean full, LongSupplier clock) {
        this.most = most;
        this.clock = clock;
        ownedSince = full ? Long.MIN_VALUE : clock.getAsLong();
    }

    /** Takes the permits of all charges, or of none. */
    synchronized QuotaAnswer acquire(List<TokenCharge> charges, long failover) {
        long now = clock.getAsLong();
        List<Bucket> found = find(charges, failover, now);
        QuotaAnswer least = QuotaAnswer.granted(0, Long.MAX_VALUE);
        QuotaAnswer refused = null;
        for (int i = 0; i < charges.size(); i++) {
            TokenCharge charge = charges.get(i);
            long left = found.get(i).left(charge, now);
            if (left < charge.permits()) {
                long wait = charge.permits() > charge.burst()
                        ? QuotaAnswer.NEVER
                        : Math.max(1, found.get(i).wait(charge, now));
                if (refused == null || wait > refused.retryAfterNanos()) {
                    refused = QuotaAnswer.refused(i, Math.max(0, left), wait);
                }
            } else if (left - charge.permits() < least.remaining()) {
                least = QuotaAnswer.granted(i, left - charge.permits());
            }
        }
        if (refused != null) {
            return refused;
        }
        for (int i = 0; i < charges.size(); i++) {
            found.get(i).take(charges.get(i), now);
        }
        return least;
    }

    /** Applies corrections. */
    synchronized void adjust(List<TokenCharge> charges, long failover) {
        long now = clock.getAsLong();
        List<Bucket> found = find(charges, failover, now);
        for (int i = 0; i < charges.size(); i++) {
            found.get(i).adjust(charges.get(i), now);
        }
    }

    /** A client comes back that was served elsewhere. */
    synchronized void rejoin() {
        ownedSince = clock.getAsLong();
        rejoins++;
    }

    private List<Bucket> find(List<TokenCharge> charges, long failover, long now) {
        List<Key> keys = new ArrayList<>(charges.size());
        for (TokenCharge charge : charges) {
            keys.add(new Key(charge.policy(), charge.slot(), charge.window(), shorten(charge.subject())));
        }
        List<Bucket> found = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            TokenCharge charge = charges.get(i);
            Bucket bucket = buckets.get(keys.get(i));
            long since = Math.max(ownedSince, failover > 0 ? now - failover : Long.MIN_VALUE);
            if (bucket == null) {
                bucket = new Bucket(charge);
                since = Math.max(since, evictedAt);
                makeRoom(keys, now);
                buckets.put(keys.get(i), bucket);
            }
            if (bucket.heldAt < since) {
                bucket.hold(charge, since, now);
            }
            bucket.move(charge, now);
            found.add(bucket);
        }
        return found;
    }

    /** Removes the bucket that is full soonest of a few, until there is room; a request never removes buckets that it charges. */
    private void makeRoom(List<Key> charged, long now) {
        while (buckets.size() >= most) {
            Map.Entry<Key, Bucket> victim = null;
            for (int i = 0; i < CANDIDATES + charged.size(); i++) {
                if (!hand.hasNext()) {
                    hand = buckets.entrySet().iterator();
                }
                Map.Entry<Key, Bucket> next = hand.next();
                if (!charged.contains(next.getKey())
                        && (victim == null || next.getValue().idleAt < victim.getValue().idleAt)) {
                    victim = next;
                }
            }
            if (victim == null) {
                // all are charged by this request; the next one makes room
                return;
            }
            if (buckets.remove(victim.getKey(), victim.getValue()) && victim.getValue().idleAt > now) {
                evictedAt = now;
                evicted.increment();
            }
        }
    }

    private static String shorten(String subject) {
        if (subject.length() <= KEY_CHARS) {
            return subject;
        }
        try {
            byte[] bytes = subject.getBytes(StandardCharsets.UTF_8);
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Removes buckets that equal new ones; to be called every few seconds. */
    public void sweep() {
        long now = clock.getAsLong();
        for (Map.Entry<Key, Bucket> entry : buckets.entrySet()) {
            if (entry.getValue().idleAt <= now) {
                removeIfIdle(entry.getKey(), entry.getValue());
            }
        }
    }

    private synchronized void removeIfIdle(Key key, Bucket bucket) {
        if (bucket.idleAt <= clock.getAsLong()) {
            buckets.remove(key, bucket);
        }
    }

    /**
     * Returns the number of buckets.
     *
     * @return at most the bound
     */
    public int size() {
        return buckets.size();
    }

    /**
     * Returns how many buckets made room before they were full.
     *
     * @return since the start
     */
    public long evicted() {
        return evicted.sum();
    }

    /**
     * Returns how often a client came back from another server.
     *
     * @return since the start
     */
    public long rejoins() {
        return rejoins;
    }
}

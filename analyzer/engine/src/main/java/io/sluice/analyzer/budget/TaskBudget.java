package io.sluice.analyzer.budget;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One task's part of a {@link HeapBudget}. What cannot be evicted asks for its bytes and may be refused. What can be evicted is kept in
 * pools, of tasks that decide only: a pool may use all bytes that the others leave, and is sure of an even part of them. One thread; {@link #used} may be called by
 * any.
 */
public final class TaskBudget implements AutoCloseable {
    private final HeapBudget budget;
    private final HeapBudget.Kind kind;
    private final Map<Account, AtomicLong> used = new EnumMap<>(Account.class);
    private final List<Pool> pools = new ArrayList<>();
    private long fixed;
    private long pooled;
    private int poolsInUse;

    TaskBudget(HeapBudget budget, HeapBudget.Kind kind) {
        this.budget = budget;
        this.kind = kind;
        for (Account account : Account.values()) {
            used.put(account, new AtomicLong());
        }
    }

    HeapBudget.Kind kind() {
        return kind;
    }

    /** Takes bytes for an object; returns false when that is more than its account may take. */
    public boolean take(Account account, long more) {
        if (!hasRoom(account, more)) {
            return false;
        }
        add(account, more);
        return true;
    }

    /** Returns whether an account may take so many bytes more. */
    public boolean hasRoom(Account account, long more) {
        return used(account) + more <= account.most(budget.partOfTask(kind));
    }

    /** Adds bytes, or subtracts them, without asking: for objects that have to be held, such as the state of an earlier epoch. */
    public void add(Account account, long more) {
        fixed += more;
        if (kind == HeapBudget.Kind.METER) {
            budget.meter(more);
        }
        count(account, more);
    }

    private void count(Account account, long more) {
        AtomicLong counted = cell(account);
        counted.setRelease(counted.getPlain() + more);
    }

    /** The bytes that an account takes. */
    public long used(Account account) {
        return cell(account).getAcquire();
    }

    private AtomicLong cell(Account account) {
        return Objects.requireNonNull(used.get(account));
    }

    /**
     * A new pool of objects that can be evicted.
     *
     * @param evict evicts the older half or so of the pool, and reports it to {@link Pool#add}
     */
    public Pool pool(Account account, Runnable evict) {
        Pool pool = new Pool(account, evict);
        pools.add(pool);
        return pool;
    }

    private long forPools() {
        return Math.max(0, budget.leftToTask() - fixed);
    }

    @Override
    public void close() {
        if (kind == HeapBudget.Kind.METER) {
            budget.meter(-fixed);
            fixed = 0;
        }
        budget.leave(this);
    }

    /** Objects that can be evicted. One thread. */
    public final class Pool {
        private final Account account;
        private final Runnable evict;
        private long bytes;

        private Pool(Account account, Runnable evict) {
            this.account = account;
            this.evict = evict;
        }

        /** The bytes that it may hold: what the other pools leave, and at least an even part. */
        public long limit() {
            long all = forPools();
            return Math.max(all / Math.max(1, poolsInUse), all - (pooled - bytes));
        }

        /** Its objects take so many bytes more, or less. */
        public void add(long more) {
            poolsInUse += (bytes + more > 0 ? 1 : 0) - (bytes > 0 ? 1 : 0);
            bytes += more;
            pooled += more;
            count(account, more);
        }

        /** Lets pools that hold more than they may evict, when all of them together hold more than there is. */
        public void settle() {
            if (pooled <= forPools()) {
                return;
            }
            for (Pool pool : pools) {
                if (pool.bytes > pool.limit()) {
                    pool.evict.run();
                }
            }
        }

        /** The bytes that its objects take. */
        public long bytes() {
            return bytes;
        }
    }
}

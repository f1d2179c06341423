package io.sluice.agent.internal.gate;

import io.sluice.contract.lock.Mode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks on the subjects of one policy. Written under the lock registry's monitor, concurrently with requests that create gates and the
 * sweeper that removes them.
 */
final class LockTable {
    private final SubjectTable kept;
    private final GateCount count;
    private final int subjectSize;
    private final AtomicInteger arrivals;
    private final AtomicInteger held = new AtomicInteger();

    /** @param arrivals advanced after a subject without a lock got one, before {@link #hold} returns */
    LockTable(SubjectTable kept, GateCount count, AtomicInteger arrivals, int subjectSize) {
        this.kept = kept;
        this.count = count;
        this.arrivals = arrivals;
        this.subjectSize = subjectSize;
    }

    /** Returns whether there is a lock or release. */
    boolean any() {
        return held.get() > 0;
    }

    /** Sets or removes the locks of a subject. */
    void hold(SubjectKey key, @Nullable LockEntry analyzer, @Nullable LockEntry operator) {
        boolean locks = analyzer != null || operator != null;
        while (true) {
            SubjectEntry known = kept.get(key);
            if (known instanceof SubjectGate gate && !gate.removed()) {
                int change = (locks ? 1 : 0) - (gate.held() ? 1 : 0);
                gate.hold(analyzer, operator);
                held.addAndGet(change);
                if (change > 0) {
                    arrivals.incrementAndGet();
                }
                return;
            }
            if (known instanceof SubjectGate) {
                if (kept.remove(known)) {
                    count.free(1);
                }
            } else if (known == null) {
                if (!locks) {
                    return;
                }
                if (kept.add(holding(key, analyzer, operator))) {
                    count.force();
                    held.incrementAndGet();
                    arrivals.incrementAndGet();
                    return;
                }
            } else if (locks && kept.replace(known, holding(key, analyzer, operator))) {
                return;
            } else if (!locks && kept.remove(known)) {
                count.free(1);
                held.decrementAndGet();
                return;
            }
        }
    }

    private static SubjectEntry holding(SubjectKey key, @Nullable LockEntry analyzer, @Nullable LockEntry operator) {
        if (analyzer != null && operator == null) {
            return analyzer;
        }
        SubjectGate gate = new SubjectGate(key);
        gate.hold(analyzer, operator);
        return gate;
    }

    /** Visits every subject with a lock or a release. */
    void forEach(BiConsumer<List<String>, SubjectEntry> told) {
        kept.forEach(each -> {
            if (each.held()) {
                told.accept(each.key().subject(subjectSize), each);
            }
        });
    }

    /** Returns the number of locked subjects, without releases. */
    int closed(long now) {
        int[] closed = {0};
        kept.forEach(each -> closed[0] += closes(each.analyzer(), now) || closes(each.operator(), now) ? 1 : 0);
        return closed[0];
    }

    private static boolean closes(@Nullable LockEntry lock, long now) {
        return lock != null && lock.mode() != Mode.OPEN && !lock.expired(now);
    }

    /** Removes expired locks. */
    void expire(long now) {
        kept.forEach(each -> {
            LockEntry analyzer = each.analyzer();
            LockEntry operator = each.operator();
            boolean analyzerOver = analyzer != null && analyzer.expired(now);
            boolean operatorOver = operator != null && operator.expired(now);
            if (analyzerOver || operatorOver) {
                hold(each.key(), analyzerOver ? null : analyzer, operatorOver ? null : operator);
            }
        });
    }
}

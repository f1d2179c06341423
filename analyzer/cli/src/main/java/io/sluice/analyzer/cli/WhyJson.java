package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.recount.Verdict;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.LockRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An explanation for programs. Times are broker time in epoch milliseconds. */
record WhyJson(
        String policy,
        List<String> subject,
        boolean locked,
        long now,
        @Nullable Operator operator,
        @Nullable Lock analyzer,
        @Nullable Recount recount,
        @Nullable Lock last,
        @Nullable Release release) {

    static String of(Explanation why) {
        return RecordJson.line(new WhyJson(
                why.target().policy().name(),
                why.target().subject(),
                why.locked(),
                why.now(),
                why.operator() == null
                        ? null
                        : Operator.of(why.operator().record(), why.operator().append()),
                why.analyzer() == null ? null : Lock.of(why.analyzer().record(), why),
                why.recounted() == null ? null : Recount.of(why.recounted()),
                why.last() == null ? null : Lock.of(why.last().record(), why),
                why.release() == null
                        ? null
                        : new Release(
                                why.release().record().since(),
                                why.release().record().until())));
    }

    record Release(long since, long at) {}

    record Operator(
            String mode,
            @Nullable Double rate,
            long since,
            @Nullable Long until,
            String author,
            String reason) {
        static Operator of(OperatorRecord record, long append) {
            OperatorRecord.Lock lock = record instanceof OperatorRecord.Lock locked ? locked : null;
            return new Operator(
                    lock == null ? "released" : lock.mode().spelling(),
                    lock == null ? null : positive(lock.rate()),
                    append,
                    record.ttlMillis() > 0 ? append + record.ttlMillis() : null,
                    record.author(),
                    record.reason());
        }
    }

    record Lock(
            String mode,
            @Nullable Double rate,
            @Nullable Double ratio,
            long since,
            long until,
            int level,
            boolean shadow,
            boolean guarded,
            @Nullable Double release,
            @Nullable Long forMillis,
            @Nullable Evidence evidence) {
        static Lock of(GateLock lock, Explanation why) {
            LockRule rule = why.target().policy().lockFor(why.target().subject());
            return new Lock(
                    lock.mode().spelling(),
                    positive(lock.rate()),
                    positive(lock.ratio()),
                    lock.since(),
                    lock.until(),
                    lock.level(),
                    lock.shadow(),
                    lock.guarded(),
                    rule == null ? null : rule.release(),
                    rule == null ? null : rule.forMillis(),
                    lock.evidence());
        }
    }

    record Recount(
            String verdict,
            @Nullable Double observed,
            @Nullable Double sum,
            @Nullable Double load,
            @Nullable Double excess,
            @Nullable Boolean complete,
            @Nullable Long from,
            String text) {
        static Recount of(Explanation.Recounted recounted) {
            Verdict verdict = recounted.verdict();
            return verdict == null
                    ? new Recount("impossible", null, null, null, null, null, null, recounted.text())
                    : new Recount(
                            verdict.holds() ? "holds" : "does not hold",
                            verdict.observed(),
                            verdict.sum(),
                            verdict.load(),
                            verdict.excess(),
                            verdict.complete(),
                            verdict.from(),
                            recounted.text());
        }
    }

    private static @Nullable Double positive(double value) {
        return value > 0 ? value : null;
    }
}

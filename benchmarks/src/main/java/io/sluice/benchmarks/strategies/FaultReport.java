package io.sluice.benchmarks.strategies;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Series;
import io.sluice.contract.policy.LimitRule.Algorithm;
import org.jspecify.annotations.Nullable;

/** How exact a contender is, and what a fault of its store does. */
final class FaultReport {
    private final Report report;
    private final QuotaContender contender;
    private final RequestLog log;
    private final QuotaLimit limit;

    private FaultReport(Report report, QuotaContender contender, RequestLog log) {
        this.report = report;
        this.contender = contender;
        this.log = log;
        limit = FaultRun.limit(contender);
    }

    static void add(Report report, FaultRun.Recording recording, QuotaContender contender, RequestLog log) {
        FaultReport of = new FaultReport(report, contender, log);
        long from = recording.from();
        long to = recording.to();
        of.add("permits above the limit in any span", log.excess(of.limit, from, to));
        // the burst is used up in the first half
        of.add("granted over the rate", log.grantedOfRate(of.limit, (from + to) / 2, to));
        if (contender.algorithm() == Algorithm.TOKEN_BUCKET) {
            of.add("killed", recording.dead());
            of.add("frozen", recording.frozen());
        }
    }

    private void add(String unit, double value) {
        report.add(new Series(contender.name(), unit, value));
    }

    private void add(String fault, FaultRun.@Nullable Fault times) {
        if (times == null) {
            return;
        }
        add("ms, the longest wait while " + fault, log.longestWaitMillis(times.began(), times.ended()));
        add("granted over the rate while " + fault, log.grantedOfRate(limit, times.began(), times.ended()));
        add(
                "bursts at once when back, having been " + fault,
                log.burst(limit, times.ended(), times.over()) / limit.burst());
        add(
                "bursts above the limit in any span with the fault, " + fault,
                log.excess(limit, times.worked(), times.over()) / limit.burst());
    }
}

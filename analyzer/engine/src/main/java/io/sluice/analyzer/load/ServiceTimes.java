package io.sluice.analyzer.load;

import io.sluice.analyzer.history.Baseline;
import io.sluice.contract.policy.Policy;

/** How long requests take and used to take, remembered as two sums: service time and requests. */
public final class ServiceTimes {
    /** The place of the service time among the sums, in microseconds. */
    public static final int MICROS = 0;

    /** The place of the number of requests. */
    public static final int COUNT = 1;

    public static final int SUMS = 2;

    private static final long BASELINE_MILLIS = 3_600_000;

    private ServiceTimes() {}

    /** Over how long what is usual is taken. */
    public static Baseline.Span span(Policy policy) {
        return Baseline.Span.of(BASELINE_MILLIS, policy.window().millis());
    }

    /** Both sums of a usual window as of {@code time}, not corrected for a short past: only their ratios mean anything. */
    public static double[] raw(Baseline baseline, Baseline.Span span, long time) {
        baseline.pass(span, time);
        return new double[] {baseline.raw(MICROS), baseline.raw(COUNT)};
    }
}

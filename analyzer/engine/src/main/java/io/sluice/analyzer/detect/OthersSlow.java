package io.sluice.analyzer.detect;

import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.load.ServiceTimes;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.Load;

/**
 * Detects that the requests of all others take longer than before: harm, not only crowding. Group and subject are both
 * remembered as sums of service time and counts of requests, so what is left when one is taken from the other is the others'.
 */
final class OthersSlow {
    private final double factor;
    private final Baseline.Span span;

    OthersSlow(double factor, Policy policy) {
        this.factor = factor;
        span = ServiceTimes.span(policy);
    }

    boolean is(Subject subject, Load load, long pane) {
        Load.Service service = load.service();
        if (service == null || service.baselineCount() <= 0) {
            return false;
        }
        long first = subject.shape().firstPane(pane);
        double othersMicros =
                LoadSums.micros(load, first, pane) - (double) subject.window().micros(pane);
        double othersCount = LoadSums.admittedCount(load, first, pane)
                - (double) subject.window().admittedCount(pane);
        double[] own = subject.memory().serviceTimes(span, subject.key(), load.asOf());
        double usualMicros = service.baselineMicros() - own[ServiceTimes.MICROS];
        double usualCount = service.baselineCount() - own[ServiceTimes.COUNT];
        // without others, or without their past, nothing can be slow
        return othersCount > 0
                && usualCount > 0
                && usualMicros > 0
                && othersMicros / othersCount > factor * usualMicros / usualCount;
    }
}

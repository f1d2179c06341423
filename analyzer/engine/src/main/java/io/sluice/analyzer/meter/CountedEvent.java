package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Policy;
import java.util.List;

/**
 * Effect of one event on one policy, by the rules that the meter counts by; for people.
 *
 * @param counts whether it is counted
 * @param why not, if it isn't
 * @param subject it is counted against
 * @param amount how much, in the measure's smallest unit: service time in microseconds; 0 for different values
 * @param from the begin of the pane it falls into, epoch milliseconds
 */
public record CountedEvent(boolean counts, String why, List<String> subject, long amount, long from) {

    /**
     * Asks one policy.
     *
     * @param event with the time it counts at
     */
    public static CountedEvent of(Policy policy, RequestEvent event) {
        var misfit = policy.match().misfit(event);
        if (misfit.isPresent()) {
            return not(misfit.get());
        }
        if (!policy.locks()) {
            return not("it only limits, exactly and in each agent: nothing is counted");
        }
        MeteredGroup metered =
                new MeteredGroup(MeteredGroup.Key.of(policy, false, 0), 0, List.of(), null, DistinctHash.UNKEYED);
        if (!metered.matches(event)) {
            return not("it has no " + metered.key.distinct() + ", of which different values are counted");
        }
        if (!metered.setSubject(event)) {
            return not("it lacks one of " + policy.per() + ", so there is no subject");
        }
        if (!metered.believes(event)) {
            return not("its caller is only claimed, and a claimed caller is never locked");
        }
        return new CountedEvent(
                true,
                "",
                List.of(metered.subject()),
                CountedAmount.of(policy.measure()).of(event),
                metered.pane(event) * policy.window().paneMillis());
    }

    private static CountedEvent not(String why) {
        return new CountedEvent(false, why, List.of(), 0, 0);
    }
}

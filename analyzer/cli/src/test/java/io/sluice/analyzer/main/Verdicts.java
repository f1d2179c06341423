package io.sluice.analyzer.main;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the exact method says of each lock that opened. */
final class Verdicts {
    private Verdicts() {}

    /**
     * One lock.
     *
     * @param crossed time of the event that was seen to put the caller over
     * @param observed what the analyzer had counted then
     * @param exact the caller's exact sum in the window that ends then
     * @param right whether the caller was over then by the exact method
     */
    record Verdict(String caller, long crossed, double observed, long exact, boolean right, boolean guarded) {}

    static List<Verdict> of(PolicySet policies, LoggedRequests requests, LockHistory locks) {
        ExactOracle oracle = new ExactOracle(policies);
        requests.inOrderOfTime().forEach(oracle::add);
        Map<String, List<Over>> overs = oracle.overs().stream()
                .collect(Collectors.groupingBy(over -> over.subject().get(0)));
        long window = policies.policies().get(0).window().millis();
        return locks.openings().stream()
                .map(lock -> {
                    long crossed = lock.evidence.crossed();
                    return new Verdict(
                            lock.caller,
                            crossed,
                            lock.evidence.observed(),
                            requests.sum(lock.caller, crossed - window, crossed),
                            overs.getOrDefault(lock.caller, List.of()).stream()
                                    .anyMatch(over -> over.from() <= crossed && crossed <= over.lastSeen()),
                            lock.guarded);
                })
                .toList();
    }
}

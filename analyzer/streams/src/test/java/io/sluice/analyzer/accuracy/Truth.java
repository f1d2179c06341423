package io.sluice.analyzer.accuracy;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the exact method says of a workload.
 *
 * @param spans when each caller was over that ever was: its sum over (t − W, t] was above the limit
 * @param due from when on each caller must be locked that ever must: its sum over (t − W + pane, t] is above the limit
 */
public record Truth(Map<String, List<Over>> spans, Map<String, Long> due) {

    public static Truth of(Workload workload) {
        ExactOracle whole = new ExactOracle(workload.policies());
        ExactOracle lessAPane = new ExactOracle(lessAPane(workload.policies()));
        workload.events().forEach(event -> {
            whole.add(event);
            lessAPane.add(event);
        });
        Map<String, Long> due = new HashMap<>();
        lessAPane.overs().forEach(over -> due.putIfAbsent(over.subject().get(0), over.from()));
        return of(whole, due);
    }

    /** The result of an oracle that has seen all events; other truths list the callers to be locked and when. */
    static Truth of(ExactOracle whole, Map<String, Long> due) {
        Map<String, List<Over>> spans = whole.overs().stream()
                .collect(Collectors.groupingBy(over -> over.subject().get(0)));
        return new Truth(spans, due);
    }

    /** The same policies with windows that are a pane shorter. */
    static PolicySet lessAPane(PolicySet set) {
        List<Policy> shorter = set.policies().stream().map(Truth::lessAPane).toList();
        return new PolicySet(set.enforce(), set.allow(), set.guard(), shorter, set.revision());
    }

    private static Policy lessAPane(Policy policy) {
        Window window = policy.window();
        Window shorter = new Window(window.millis() - window.paneMillis(), window.panes() - 1);
        return new Policy(
                policy.name(),
                policy.match(),
                policy.per(),
                policy.measure(),
                shorter,
                policy.lock(),
                policy.limit(),
                policy.overrides(),
                policy.revision());
    }

    /** Whether a caller was over when one of its events came. */
    public boolean over(String caller, long time) {
        return spans.getOrDefault(caller, List.of()).stream()
                .anyMatch(span -> span.from() <= time && time <= span.lastSeen());
    }
}

package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests by caller, for those that come before a bound is reached: enough to find the busiest. Confined to one thread. */
final class BusiestCallers {
    private final Map<String, Long> requests = new HashMap<>();
    private final int most;

    /** @param most callers that are counted; of further ones nothing is kept */
    BusiestCallers(int most) {
        this.most = most;
    }

    void add(RequestEvent event) {
        if (requests.size() < most || requests.containsKey(event.caller())) {
            requests.merge(event.caller(), event.count(), Long::sum);
        }
    }

    /** Returns the names of the busiest, in order. */
    List<String> first(int count) {
        return requests.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(count)
                .map(Map.Entry::getKey)
                .toList();
    }
}

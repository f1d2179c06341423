package io.sluice.analyzer.accuracy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Window;

/** A workload's log under another policy. */
final class Rewritten {
    private Rewritten() {}

    /**
     * One policy for a workload's callers.
     *
     * @param part the window is this part of the workload's own, in as many panes as that makes of it
     */
    static PolicySet policies(Workload workload, int part, String more, String lock) {
        Window window = workload.policy().window();
        int panes = part == 1 ? window.panes() : 20;
        return TestPolicies.set("{'guard':{'subjects':'100%','atLeast':100000,'atMost':1000000},'policies':[{"
                + "'name':'p','per':['caller']," + more + "'window':'" + window.millis() / part + "ms','panes':" + panes
                + ",'lock':{" + lock + "}}]}");
    }

    static RequestEvent route(RequestEvent event, String route) {
        return new RequestEvent(
                event.time(),
                event.caller(),
                event.service(),
                route,
                event.method(),
                event.ip(),
                event.status(),
                event.bytes(),
                event.micros(),
                event.agent(),
                event.outcome(),
                event.count(),
                event.identity(),
                event.labels());
    }
}

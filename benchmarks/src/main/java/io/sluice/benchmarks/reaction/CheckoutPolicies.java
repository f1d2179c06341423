package io.sluice.benchmarks.reaction;

import io.sluice.benchmarks.workload.Policies;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;

/**
 * What is measured: a checkout that locks callers with too many requests, beside a busy service whose callers are counted and
 * stay below. The guard leaves room for one new lock after the other.
 */
final class CheckoutPolicies {
    /** The service whose gates close. */
    static final String CHECKOUT = "checkout";

    /** The service of the background. */
    static final String ORDERS = "orders";

    /** The event after so many crosses. */
    static final int ABOVE = 10;

    private static final String JSON = """
            {"guard":{"subjects":"50%","atLeast":100000,"atMost":1000000},
             "policies":[
              {"name":"checkout","match":{"service":"checkout"},"per":["caller"],"window":"1m","panes":60,
               "lock":{"when":[{"above":10}],"mode":"block","for":"1m"}},
              {"name":"orders","match":{"service":"orders"},"per":["caller"],"window":"1m","panes":60,
               "lock":{"when":[{"above":10000000}],"mode":"block","for":"1m"}}]}""";

    private CheckoutPolicies() {}

    static PolicySet read() throws InvalidPolicies, MalformedRecord {
        return Policies.read(JSON);
    }
}

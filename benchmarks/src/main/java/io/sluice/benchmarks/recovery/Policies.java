package io.sluice.benchmarks.recovery;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;

/** What is in force. */
final class Policies {
    /** One policy that nobody in this benchmark breaks. */
    static final String TEXT = """
            {"version":1,"policies":[{"name":"crowding","per":["caller"],"window":"1m",
              "lock":{"when":[{"above":100000}],"mode":"throttle","rate":"50/s"}}]}
            """;

    private Policies() {}

    static PolicySet set() throws MalformedRecord, InvalidPolicies {
        return PolicySetReader.read(JsonNodes.read(TEXT.getBytes(StandardCharsets.UTF_8), "policies"));
    }
}

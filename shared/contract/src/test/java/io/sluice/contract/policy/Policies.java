package io.sluice.contract.policy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;

/** Policies for tests, written as JSON with single quotes. */
final class Policies {
    private Policies() {}

    static PolicySet set(String json) throws InvalidPolicies {
        try {
            byte[] document = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            return PolicySetReader.read(JsonNodes.read(document, "policies.json"));
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    /** One policy with this body behind its name. */
    static Policy policy(String body) throws InvalidPolicies {
        return set("{'policies':[{'name':'one'," + body + "}]}").policies().get(0);
    }
}

package io.sluice.analyzer;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.settings.YamlNodes;
import java.nio.charset.StandardCharsets;

/** Policy sets as users write them. */
public final class TestPolicies {
    private TestPolicies() {}

    /** A whole document; single quotes stand for double ones. */
    public static PolicySet set(String json) {
        try {
            byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            return PolicySetReader.read(JsonNodes.read(bytes, "test"));
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** A whole document in YAML. */
    public static PolicySet yaml(String yaml) {
        try {
            return PolicySetReader.read(YamlNodes.read(yaml.getBytes(StandardCharsets.UTF_8), "test.yml"));
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Policies alone, comma separated, each a mapping. */
    public static PolicySet policies(String policies) {
        return set("{'policies':[" + policies + "]}");
    }

    /** One policy {@code p} that counts requests per caller in a minute of 60 panes. */
    public static PolicySet above(long threshold) {
        return policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':" + threshold + "}]}}");
    }

    /** The same in an hour: a locked caller stays locked, however long a test takes. */
    public static PolicySet aboveInAnHour(long threshold) {
        return policies(
                "{'name':'p','per':['caller'],'window':'1h','panes':60,'lock':{'when':[{'above':" + threshold + "}]}}");
    }
}

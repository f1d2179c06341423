package io.sluice.benchmarks.workload;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.PolicyFile;
import java.nio.charset.StandardCharsets;

/** Policies to be measured with. */
public final class Policies {
    /** One of each kind that an operator begins with. Windows of a minute in sixty panes, as they are unless configured. */
    public static final String FIVE = """
            version: 1
            policies:
              - name: noisy-neighbour
                per: [caller]
                lock: { when: [{ above: 30000 }], mode: throttle, rate: 100/s }
              - name: crowds-out
                per: [caller, service]
                lock: { when: [{ share: 40%, of: [service], beyond: 600000 }], mode: block }
              - name: downloads
                per: [caller]
                measure: bytes
                lock: { when: [{ above: 500000000 }], mode: block }
              - name: slow-queries
                per: [caller, service]
                measure: millis
                lock: { when: [{ above: 2000000 }], mode: throttle, rate: 10/s }
              - name: scraper
                per: [ip/24]
                measure: { distinct: route }
                lock: { when: [{ above: 100 }], mode: block }
            """;

    private Policies() {}

    /** Reads policies as an operator's file is read. */
    public static PolicySet read(String yaml) throws MalformedRecord, InvalidPolicies {
        return PolicyFile.read(yaml.getBytes(StandardCharsets.UTF_8), "policies");
    }

    /** One policy that counts requests of callers, over a window such as {@code 10s}, {@code 1m} or {@code 24h}. */
    public static String requests(String window, int panes, long above) {
        return """
                version: 1
                policies:
                  - name: noisy-neighbour
                    per: [caller]
                    window: %s
                    panes: %d
                    lock: { when: [{ above: %d }], mode: throttle, rate: 100/s }
                """.formatted(window, panes, above);
    }
}

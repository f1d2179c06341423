package io.sluice.analyzer.fleet;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The policy set in force, and the one that was asked for last. Thread-safe. */
public final class PolicyRecords {
    private @Nullable PolicySet active;
    private String problem = "";
    private @Nullable Appended<String> desired;

    /** Takes a record of the policies topic. */
    public synchronized void accept(byte @Nullable [] key, byte @Nullable [] value, long append) {
        if (key == null || value == null) {
            return;
        }
        switch (new String(key, StandardCharsets.UTF_8)) {
            case PolicySetJson.ACTIVE -> active(value);
            case PolicySetJson.DESIRED -> desired = new Appended<>(revision(value), append);
            default -> {}
        }
    }

    private void active(byte[] value) {
        try {
            active = PolicySetJson.read(value);
            problem = "";
        } catch (MalformedRecord | InvalidPolicies e) {
            problem = "the set in force can't be read: " + e.getMessage();
        }
    }

    private static String revision(byte[] value) {
        try {
            return PolicySetReader.read(PolicySetJson.document(value)).revision();
        } catch (MalformedRecord | InvalidPolicies e) {
            return "a set that can't be read";
        }
    }

    /** Returns the newest set in force that can be read, {@code null} for none. */
    public synchronized @Nullable PolicySet active() {
        return active;
    }

    /** Returns why the newest set in force can't be read; empty when it can, or there is none. */
    public synchronized String problem() {
        return problem;
    }

    /** Returns the revision that was asked for last, {@code null} for none. */
    public synchronized @Nullable Appended<String> desired() {
        return desired;
    }
}

package io.sluice.analyzer.fleet;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The policy set in force, and the one that was asked for last. Thread-safe. */
public final class PolicyRecords {
    private @Nullable Appended<PolicySet> active;
    private @Nullable Appended<PolicySet> previous;
    private String problem = "";
    private @Nullable Appended<String> desired;

    /** Takes a record of the policies topic. */
    public synchronized void accept(byte @Nullable [] key, byte @Nullable [] value, long append) {
        if (key == null || value == null) {
            return;
        }
        switch (new String(key, StandardCharsets.UTF_8)) {
            case PolicySetJson.ACTIVE -> active(value, append);
            case PolicySetJson.DESIRED -> desired = new Appended<>(revision(value), append);
            default -> {}
        }
    }

    private void active(byte[] value, long append) {
        try {
            PolicySet set = PolicySetJson.read(value);
            Appended<PolicySet> before = active;
            if (before == null || !before.record().revision().equals(set.revision())) {
                previous = before;
                active = new Appended<>(set, append);
            }
            problem = "";
        } catch (MalformedRecord | InvalidPolicies e) {
            problem = "the set in force can't be read: " + e.getMessage();
        }
    }

    private static String revision(byte[] value) {
        try {
            return PolicySetJson.readDesired(value).revision();
        } catch (MalformedRecord | InvalidPolicies e) {
            return "a set that can't be read";
        }
    }

    /** Returns the newest set in force that can be read, {@code null} for none. */
    public synchronized @Nullable PolicySet active() {
        return active == null ? null : active.record();
    }

    /** Returns the set in force with the append time of its first record that was read, {@code null} for none. */
    public synchronized @Nullable Appended<PolicySet> current() {
        return active;
    }

    /**
     * Returns the set that was in force before the current one, as far as it was read; {@code null} for none. Compaction of the topic removes
     * earlier sets, so one that starts to read later may not find it.
     */
    public synchronized @Nullable Appended<PolicySet> previous() {
        return previous;
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

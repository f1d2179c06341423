package io.sluice.analyzer.replay;

import io.sluice.analyzer.Plural;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;

/** Reservations about the numbers. */
final class Notes {
    private final OptionNames options;
    private final List<String> notes = new ArrayList<>();

    Notes(OptionNames options) {
        this.options = options;
    }

    List<String> all() {
        return List.copyOf(notes);
    }

    void claimed(String log, PolicySet set) {
        if (set.policies().stream().anyMatch(Notes::locksCallers)) {
            notes.add(log + ": its callers are only claimed, so a policy that counts per caller never locks them");
        }
    }

    private static boolean locksCallers(Policy policy) {
        return policy.lock() != null
                && policy.per().stream().anyMatch(attribute -> attribute.kind() == Attribute.Kind.CALLER);
    }

    void limits(PolicySet set) {
        for (Policy policy : set.policies()) {
            if (policy.limit() != null) {
                notes.add("policy " + policy.name() + ": its limit is kept by the agents and not replayed");
            }
        }
    }

    void callers(Callers seen) {
        if (seen.count() == 1 && seen.requests() > 1) {
            notes.add("all requests come from one caller, perhaps a proxy's address: " + options.caller()
                    + " names another field,"
                    + " such as '$http_x_api_key'");
        }
        if (seen.unlisted() > 0) {
            notes.add(Plural.of(seen.unlisted(), "request") + " of callers beyond the first " + seen.count()
                    + " counted by policies, but not listed here");
        }
    }

    /** How the numbers of {@link WouldReject} and {@link TriedLock#detectMillis} are meant. */
    void meanings(Tried tried, boolean compared) {
        if (tried.locks().isEmpty() && !compared) {
            return;
        }
        notes.add(
                "\"rejected\" are the requests that came while a lock was on, as if no caller backed off: all of them for"
                        + " block, what is over the rate for throttle, the ratio's part for shed; \"not counted\" are those among"
                        + " them that the policy's match does not select");
        if (tried.exact()) {
            notes.add(
                    "\"within limit\" are rejected requests that came while the exact method found the caller within its limit");
        }
        if (compared) {
            notes.add(
                    tried.exact()
                            ? "\"detected after\" is the time from the moment when the exact method finds the caller over to the lock"
                            : "\"detected after\" is the time from the subject's first request that was still in the"
                                    + " window to the lock; " + options.exact()
                                    + " measures it from the moment when the subject was over");
        }
    }
}

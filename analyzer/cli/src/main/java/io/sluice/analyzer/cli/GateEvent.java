package io.sluice.analyzer.cli;

import io.sluice.contract.json.BoundedJson;
import java.util.List;
import java.util.Locale;

/**
 * Something that happened to a gate, to enforcement as a whole, or to the policies.
 *
 * @param at broker time, epoch milliseconds
 * @param policy empty for enforcement as a whole, and for policy sets
 * @param by {@code analyzer}, or the operator's name
 * @param more the evidence, the operator's reason, what is known of it
 */
record GateEvent(long at, What what, String policy, List<String> subject, String by, String more) {

    /** Kinds of events. */
    enum What {
        LOCKED,
        /** The guard lets it only report. */
        GUARDED,
        /** It only reported, and closes its gate from now on. */
        ARMED,
        CHANGED,
        RELEASED,
        EXPIRED,
        SWITCHED,
        /** Another policy set was asked for. */
        APPLIED;

        String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    String json() {
        return JsonLine.of(to -> {
            to.writeNumberField("at", at);
            to.writeStringField("what", what.spelling());
            to.writeStringField("policy", policy);
            BoundedJson.texts("subject", subject, to);
            to.writeStringField("by", by);
            to.writeStringField("more", more);
        });
    }
}

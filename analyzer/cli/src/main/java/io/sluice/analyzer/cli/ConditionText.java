package io.sluice.analyzer.cli;

import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.Policy;
import java.util.List;
import java.util.stream.Collectors;

/** When a subject is over, in words. */
final class ConditionText {
    private final String unit;
    private final String window;

    private ConditionText(Policy policy) {
        unit = policy.measure().name();
        window = Spans.text(policy.window().millis());
    }

    /** {@code over 12,000 requests in 1m; or …}. */
    static String of(Policy policy, List<Condition> anyOf) {
        ConditionText text = new ConditionText(policy);
        return anyOf.stream().map(text::of).collect(Collectors.joining("; or "));
    }

    /** {@code over 12,000 requests in 1m}. */
    private String over(double amount) {
        boolean one = amount == 1 && (unit.equals("requests") || unit.equals("bytes"));
        return "over " + Spans.grouped(amount) + " " + (one ? unit.substring(0, unit.length() - 1) : unit) + " in "
                + window;
    }

    private String of(Condition condition) {
        if (condition instanceof Condition.Above above) {
            return over(above.threshold());
        }
        if (condition instanceof Condition.Share share) {
            return "over " + Spans.grouped(share.share() * 100) + " % of all " + unit + " in " + window
                    + (share.of().isEmpty() ? "" : " of its " + share.of())
                    + (share.beyond() > 0 ? ", once that is over " + Spans.grouped(share.beyond()) : "")
                    + (share.whenOthersSlow() > 0
                            ? ", while the others are " + Spans.grouped(share.whenOthersSlow())
                                    + " times as slow as usual"
                            : "");
        }
        if (condition instanceof Condition.Spike spike) {
            return "over " + Spans.grouped(spike.factor()) + " times its own baseline of "
                    + Spans.text(spike.baselineMillis()) + ", and " + over(spike.floor());
        }
        if (condition instanceof Condition.All all) {
            return all.conditions().stream().map(this::of).collect(Collectors.joining(" and "));
        }
        return condition.toString();
    }
}

package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kill switch as text. */
final class EnforcementText {
    private EnforcementText() {}

    /**
     * Returns the result of a switch, and below it what keeps enforcement off all the same.
     *
     * @param agent the agent that was switched, {@code null} for all
     * @param millis how long the switch holds, 0 for no end
     * @param fleet the operators' records and policies after the switch
     */
    static List<String> switched(boolean on, @Nullable String agent, long millis, FleetState fleet) {
        // the record of the switch is the newest: its time is the broker's
        long now = fleet.newest();
        List<KillSwitches.Off> left = fleet.switchedOff(now).stream()
                .filter(off -> on
                        && (agent == null || off.agent() == null || off.agent().equals(agent)))
                .toList();
        String where = agent == null ? " everywhere" : " for agent " + PrintableText.of(agent);
        String state;
        if (left.isEmpty()) {
            state = "is " + (on ? "on" : "off") + where;
        } else if (agent == null) {
            state = "is on, except for " + (left.size() == 1 ? "one agent" : left.size() + " agents");
        } else {
            state = "stays off" + where;
        }
        List<String> lines = new ArrayList<>();
        lines.add("enforcement " + state + (millis == 0 ? "" : " for " + Spans.text(millis)));
        left.forEach(off -> lines.add("! " + line(off, now)));
        PolicySet policies = fleet.policies();
        if (on && policies != null && !policies.enforce()) {
            lines.add("! the policies only report (enforce: false): nothing is rejected");
        }
        return lines;
    }

    /** {@code enforcement is off everywhere, by ann: incident; on again in 30m}. */
    static String line(KillSwitches.Off off, long now) {
        return "enforcement is off "
                + (off.agent() == null ? "everywhere" : "for agent " + PrintableText.of(off.agent())) + ", by "
                + PrintableText.of(off.author()) + ": " + PrintableText.of(off.reason())
                + "; on again in " + Spans.text(off.end() - now);
    }
}

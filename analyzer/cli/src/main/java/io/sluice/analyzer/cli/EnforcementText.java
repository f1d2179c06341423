package io.sluice.analyzer.cli;

import io.sluice.contract.json.PrintableText;
import io.sluice.contract.operator.KillSwitches;

/** The kill switch as text. */
final class EnforcementText {
    private EnforcementText() {}

    /** {@code enforcement is off everywhere, by ann: incident; on again in 30m}. */
    static String line(KillSwitches.Off off, long now) {
        return "enforcement is off "
                + (off.agent() == null ? "everywhere" : "for agent " + PrintableText.of(off.agent())) + ", by "
                + PrintableText.of(off.author()) + ": " + PrintableText.of(off.reason())
                + "; on again in " + Spans.text(off.end() - now);
    }
}

package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.KillSwitches;
import java.io.IOException;
import java.util.List;

/** The kill switch, for people and for programs. */
final class EnforcementText {
    private EnforcementText() {}

    /** {@code enforcement is off everywhere, by ann: incident; on again in 30m}. */
    static String line(KillSwitches.Off off, long now) {
        return "enforcement is off "
                + (off.agent() == null ? "everywhere" : "for agent " + Table.printable(off.agent())) + ", by "
                + Table.printable(off.author()) + ": " + Table.printable(off.reason())
                + (off.end() == LockValidity.ENDLESS ? "" : "; on again in " + Spans.text(off.end() - now));
    }

    /** As an array named {@code switchedOff}. */
    static void json(List<KillSwitches.Off> offs, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart("switchedOff");
        for (KillSwitches.Off off : offs) {
            to.writeStartObject();
            if (off.agent() != null) {
                to.writeStringField("agent", off.agent());
            }
            to.writeStringField("author", off.author());
            to.writeStringField("reason", off.reason());
            to.writeNumberField("since", off.since());
            if (off.end() != LockValidity.ENDLESS) {
                to.writeNumberField("until", off.end());
            }
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}

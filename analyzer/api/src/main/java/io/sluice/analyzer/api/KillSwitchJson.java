package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.operator.KillSwitches;
import java.io.IOException;
import java.util.List;

/** The kill switches that are off, as the HTTP API and the command line write them. */
public final class KillSwitchJson {
    private KillSwitchJson() {}

    /**
     * Writes the field {@code switchedOff}, an array with an object for each switch.
     *
     * @param offs the switches that are off
     * @param to stands in an object
     */
    public static void write(List<KillSwitches.Off> offs, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart("switchedOff");
        for (KillSwitches.Off off : offs) {
            to.writeStartObject();
            if (off.agent() != null) {
                to.writeStringField("agent", off.agent());
            }
            to.writeStringField("author", off.author());
            to.writeStringField("reason", off.reason());
            to.writeNumberField("since", off.since());
            to.writeNumberField("until", off.end());
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}

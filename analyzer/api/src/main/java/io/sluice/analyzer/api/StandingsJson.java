package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.detect.Standing;
import io.sluice.contract.json.Node;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON of how a subject stands against its lock rule: an object for each condition, with all of its parts. */
final class StandingsJson {
    private static final String FIELD = "conditions";
    private static final String PARTS = "all";

    private StandingsJson() {}

    static void write(List<List<Standing>> standings, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart(FIELD);
        for (List<Standing> parts : standings) {
            to.writeStartObject();
            to.writeArrayFieldStart(PARTS);
            for (Standing part : parts) {
                to.writeStartObject();
                to.writeStringField("detector", part.detector());
                to.writeNumberField("allowed", part.allowed());
                number("observed", part.observed(), to);
                number("limit", part.limit(), to);
                number("baseline", part.baseline(), to);
                number("load", part.load(), to);
                to.writeBooleanField("holds", part.holds());
                to.writeEndObject();
            }
            to.writeEndArray();
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    private static void number(String field, @Nullable Double value, JsonGenerator to) throws IOException {
        if (value != null) {
            to.writeNumberField(field, value);
        }
    }

    /** An instance of an earlier version does not send them. */
    static List<List<Standing>> read(Node.Mapping from) {
        return Tree.list(from, FIELD).stream()
                .map(condition -> Tree.list(condition, PARTS).stream()
                        .map(StandingsJson::standing)
                        .toList())
                .toList();
    }

    private static Standing standing(Node part) {
        return new Standing(
                Tree.text(part, "detector"),
                Tree.number(part, "allowed"),
                number(part, "observed"),
                number(part, "limit"),
                number(part, "baseline"),
                number(part, "load"),
                Tree.text(part, "holds").equals("true"));
    }

    private static @Nullable Double number(Node part, String field) {
        return Tree.has(part, field) ? Tree.number(part, field) : null;
    }
}

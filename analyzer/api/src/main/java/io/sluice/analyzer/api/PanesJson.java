package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.json.Node;
import java.io.IOException;

/** The JSON of a window between instances. */
final class PanesJson {
    private PanesJson() {}

    static void write(Panes panes, JsonGenerator to) throws IOException {
        to.writeNumberField("firstPane", panes.firstPane());
        to.writeNumberField("sum", panes.sum());
        numbers("admitted", panes.admitted(), to);
        numbers("admittedCount", panes.admittedCount(), to);
        numbers("rejectedCount", panes.rejectedCount(), to);
    }

    private static void numbers(String field, long[] values, JsonGenerator to) throws IOException {
        to.writeFieldName(field);
        to.writeArray(values, 0, values.length);
    }

    static Panes read(Node.Mapping from) {
        return new Panes(
                Tree.whole(from, "firstPane"),
                Tree.whole(from, "sum"),
                numbers(from, "admitted"),
                numbers(from, "admittedCount"),
                numbers(from, "rejectedCount"));
    }

    private static long[] numbers(Node.Mapping from, String field) {
        return Tree.list(from, field).stream().mapToLong(Tree::whole).toArray();
    }
}

package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.json.Node;
import java.io.IOException;
import java.util.Optional;

/** The JSON of the stored state of a subject, between instances. */
final class StoredSubjectJson {
    private static final String EARLIER = "earlier";

    private StoredSubjectJson() {}

    static void write(StoredSubject stored, JsonGenerator to) throws IOException {
        write(stored.window(), to);
        if (stored.earlier().isPresent()) {
            to.writeObjectFieldStart(EARLIER);
            write(stored.earlier().get(), to);
            to.writeEndObject();
        }
        StandingsJson.write(stored.standings(), to);
    }

    private static void write(Panes panes, JsonGenerator to) throws IOException {
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

    /** Reads it; an instance of an earlier version sends the window alone. */
    static StoredSubject stored(Node.Mapping from) {
        return new StoredSubject(
                read(from),
                Tree.has(from, EARLIER) ? Optional.of(read(Tree.object(from, EARLIER))) : Optional.empty(),
                StandingsJson.read(from));
    }

    private static Panes read(Node.Mapping from) {
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

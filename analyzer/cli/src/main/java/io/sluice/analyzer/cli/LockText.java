package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Locks as a table for people, as JSON for programs. */
final class LockText {
    private LockText() {}

    static void table(List<HeldLock> held, List<String> warnings, long now, PrintWriter out) {
        warnings.forEach(warning -> out.println("! " + warning));
        if (held.isEmpty()) {
            out.println("no gate is locked");
            return;
        }
        Table table = new Table(List.of("POLICY", "SUBJECT", "MODE", "LEFT", "HELD", "BY", "WHY"));
        for (HeldLock lock : held) {
            table.row(List.of(
                    lock.policy(),
                    String.join(" ", lock.subject()),
                    lock.mode(),
                    lock.left(now),
                    Spans.text(now - lock.since()),
                    lock.by(),
                    lock.why()));
        }
        table.print(out);
    }

    static String json(HeldLock lock, long now, boolean enforcing) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("policy", lock.policy());
            json.writeArrayFieldStart("subject");
            for (String value : lock.subject()) {
                json.writeString(value);
            }
            json.writeEndArray();
            json.writeStringField("mode", lock.mode());
            json.writeNumberField("since", lock.since());
            if (lock.ends() != Long.MAX_VALUE) {
                json.writeNumberField("leftMillis", lock.ends() - now);
            }
            json.writeStringField("by", lock.by());
            json.writeStringField("why", lock.why());
            if (!enforcing) {
                json.writeBooleanField("enforcing", false);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}

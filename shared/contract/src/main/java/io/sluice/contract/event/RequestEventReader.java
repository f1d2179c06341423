package io.sluice.contract.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads request events from JSON in one pass over the bytes. Unused fields are skipped without becoming
 * strings, unknown ones as well. Types are strict: a number is not read from a string. Immutable and thread-safe.
 */
public final class RequestEventReader {
    private final EventLayout layout;
    private final Map<String, EventTarget> targets;

    public RequestEventReader(EventLayout layout) {
        this.layout = layout;
        targets = targets(layout);
    }

    /** Reads what our agents write, every field of it. */
    public static RequestEventReader ours() {
        return new RequestEventReader(EventLayout.OURS);
    }

    EventLayout layout() {
        return layout;
    }

    /** What becomes of each field, by its name. */
    Map<String, EventTarget> targets() {
        return targets;
    }

    /** The same reader, which reads these fields and those that are always needed. */
    public RequestEventReader wanting(Set<Field> fields) {
        return new RequestEventReader(layout.wanted(fields));
    }

    private static Map<String, EventTarget> targets(EventLayout layout) {
        Map<String, EventTarget> targets = new HashMap<>();
        add(EventTarget.TYPE, targets);
        add(EventTarget.FORMAT, targets);
        long bit = 1;
        for (Field field : layout.wanted()) {
            List<String> names = layout.names().getOrDefault(field, List.of());
            for (int rank = 0; rank < names.size(); rank++) {
                add(EventTarget.of(field, names.get(rank), rank, bit), targets);
                bit <<= 1;
            }
        }
        if (layout.wanted().contains(Field.LABELS)) {
            for (Map.Entry<String, String> label : layout.labels().entrySet()) {
                add(EventTarget.ofLabel(label.getKey(), label.getValue(), bit), targets);
                bit <<= 1;
            }
        }
        return targets;
    }

    private static void add(EventTarget target, Map<String, EventTarget> targets) {
        // one field of theirs can be several of ours, such as caller and ip
        targets.merge(target.name(), target, (first, next) -> next.and(first));
    }

    /**
     * The event that {@code value} holds.
     *
     * @throws MalformedRecord naming the field, when a value is missing, of another type or out of its range, a wanted
     *     name stands twice, it is not one JSON object within the bounds, or it is an event of ours in a higher format
     */
    public RequestEvent read(byte[] value) throws MalformedRecord {
        EventFields fields = new EventFields(layout);
        try (JsonParser parser = BoundedJson.parser(value)) {
            try {
                read(parser, fields);
            } catch (IOException e) {
                throw BoundedJson.malformed(fields.place(), parser, e);
            }
        } catch (IOException e) {
            throw new MalformedRecord("request: not readable");
        }
        return fields.event();
    }

    private void read(JsonParser parser, EventFields fields) throws IOException, MalformedRecord {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new MalformedRecord("request: an object is expected");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            EventTarget target = targets.get(parser.currentName());
            parser.nextToken();
            if (target == null) {
                parser.skipChildren();
            } else {
                take(target, parser, fields);
            }
        }
        if (parser.nextToken() != null) {
            throw new MalformedRecord("request: nothing is expected behind the object");
        }
    }

    private static void take(EventTarget first, JsonParser parser, EventFields fields)
            throws IOException, MalformedRecord {
        for (@Nullable EventTarget target = first; target != null; target = target.next()) {
            fields.take(target, parser);
        }
        fields.done();
    }
}

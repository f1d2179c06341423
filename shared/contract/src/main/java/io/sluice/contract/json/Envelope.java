package io.sluice.contract.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The type and format of every JSON value of ours. They are read first, wherever they stand, because in a higher format any
 * other field may mean something else.
 *
 * @param type what kind of record it is
 * @param format how it is to be read, at least 1
 */
public record Envelope(String type, int format) {
    /** The newest format that this version reads, and the one it writes. */
    public static final int FORMAT = 1;

    /**
     * Reads the whole document, so that what passes is well-formed.
     *
     * @param name what to call the document in complaints
     */
    public static Envelope read(byte[] json, String name) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(json, name)) {
            @Nullable String type = null;
            @Nullable Integer format = null;
            while (object.next()) {
                switch (object.field()) {
                    case "type" -> type = object.name(64);
                    case "format" -> format = (int) object.whole(1, Integer.MAX_VALUE);
                    default -> object.skip();
                }
            }
            return new Envelope(object.required(type, "type"), object.required(format, "format"));
        }
    }

    /** Ends the object that {@code to} is writing. */
    public static void end(JsonGenerator to, String type) throws IOException {
        to.writeStringField("type", type);
        to.writeNumberField("format", FORMAT);
        to.writeEndObject();
    }

    /** Returns whether a newer version wrote it: to be counted and ignored. */
    public boolean newer() {
        return format > FORMAT;
    }
}

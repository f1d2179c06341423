package io.sluice.contract.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The one way of the contract into and out of Jackson's streaming API: UTF-8 only, at most 64 KiB, 20 levels deep, names
 * of 256 and numbers of 32 characters. Field names are canonicalised in a table that all parsers share, but
 * not interned. Thread-safe.
 */
public final class BoundedJson {
    /** The longest document that is read, in bytes. */
    public static final int MAX_BYTES = 64 * 1024;

    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(20)
            .maxStringLength(MAX_BYTES)
            .maxNameLength(256)
            .maxNumberLength(32)
            .maxDocumentLength(MAX_BYTES)
            .build();
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(CONSTRAINTS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            // otherwise a document could come as UTF-16 or UTF-32
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            .build();
    private static final JsonFactory STRICT = FACTORY.rebuild()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private BoundedJson() {}

    /** Writes to a generator; the target is memory, so an {@link IOException} means a bug. */
    @FunctionalInterface
    public interface Writer {
        void write(JsonGenerator to) throws IOException;
    }

    /**
     * A parser that also refuses a name that stands twice in an object.
     *
     * @throws MalformedRecord when the document is longer than {@link #MAX_BYTES}
     */
    public static JsonParser strictParser(byte[] json) throws MalformedRecord {
        return parser(STRICT, json);
    }

    /**
     * A parser for the hot path: the reader itself must look out for names that stand twice.
     *
     * @throws MalformedRecord when the document is longer than {@link #MAX_BYTES}
     */
    public static JsonParser parser(byte[] json) throws MalformedRecord {
        return parser(FACTORY, json);
    }

    private static JsonParser parser(JsonFactory factory, byte[] json) throws MalformedRecord {
        if (json.length > MAX_BYTES) {
            throw new MalformedRecord(json.length + " bytes long, at most " + MAX_BYTES + " are read");
        }
        try {
            return factory.createParser(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the output of {@code writer} as UTF-8. */
    public static byte[] write(Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(320);
        try (JsonGenerator to = FACTORY.createGenerator(bytes)) {
            writer.write(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes a field that holds an array of strings. */
    public static void texts(String field, List<String> texts, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart(field);
        for (String text : texts) {
            to.writeString(text);
        }
        to.writeEndArray();
    }

    /**
     * Describes a parser's failure in words that repeat nothing of the document: Jackson's own message quotes it.
     *
     * @param place the field that was being read, or what the document is
     */
    public static MalformedRecord malformed(String place, JsonParser parser, IOException problem) {
        String what;
        if (problem instanceof StreamConstraintsException) {
            what = "longer, deeper or larger than allowed";
        } else if (problem instanceof JsonEOFException) {
            what = "JSON ends too early";
        } else if (problem.getMessage() != null && problem.getMessage().startsWith("Duplicate")) {
            what = "a name stands twice in an object";
        } else {
            what = "not valid JSON";
        }
        return new MalformedRecord(
                place + ": " + what + " at byte " + parser.currentLocation().getByteOffset());
    }
}

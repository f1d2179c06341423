package io.sluice.contract.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** JSON documents as {@link Node} trees, and back. */
public final class JsonNodes {
    /** The longest document, in bytes: what a Kafka record may hold by default. */
    public static final int MAX_BYTES = 1 << 20;

    // Depth, lengths and numbers are bounded so that the cost of a document is proportional to its size.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(20)
                    .maxStringLength(8 * 1024)
                    .maxNameLength(256)
                    .maxNumberLength(32)
                    .build())
            .build();

    private JsonNodes() {}

    /**
     * Reads one JSON value: UTF-8, at most {@link #MAX_BYTES}, 20 levels deep, strings of at most 8 KiB, no key twice,
     * nothing behind it.
     *
     * @param source what to call the document in error messages
     */
    public static Node read(byte[] json, String source) throws MalformedRecord {
        if (json.length > MAX_BYTES) {
            throw new MalformedRecord(source + ": " + json.length + " bytes long, at most " + MAX_BYTES + " are read");
        }
        CharBuffer text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
        } catch (CharacterCodingException e) {
            throw new MalformedRecord(source + ": not UTF-8");
        }
        try (JsonParser parser = FACTORY.createParser(text.array(), text.position(), text.remaining())) {
            return document(parser, source);
        } catch (IOException e) {
            throw new MalformedRecord(source + ": not readable");
        }
    }

    private static Node document(JsonParser parser, String source) throws MalformedRecord, IOException {
        try {
            if (parser.nextToken() == null) {
                throw new MalformedRecord(source + ": empty, a JSON value is expected");
            }
            Node node = value(parser, source);
            if (parser.nextToken() != null) {
                throw new MalformedRecord(place(parser, source) + ": something stands behind the JSON value");
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw new MalformedRecord(place(parser, source)
                    + ": too deep or too long (20 levels, strings of 8192 characters, keys of 256, numbers of 32)");
        } catch (IOException e) {
            throw new MalformedRecord(place(parser, source) + ": not valid JSON (column "
                    + parser.currentLocation().getColumnNr() + ")");
        }
    }

    private static Node value(JsonParser parser, String source) throws MalformedRecord, IOException {
        Place place = place(parser, source);
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> mapping(parser, source, place);
            case START_ARRAY -> listing(parser, source, place);
            case VALUE_STRING -> Node.Scalar.text(place, parser.getText());
            case VALUE_TRUE, VALUE_FALSE -> new Node.Scalar(place, Node.Scalar.Type.TRUTH, parser.getText());
            case VALUE_NULL -> new Node.Scalar(place, Node.Scalar.Type.NOTHING, "");
            default -> new Node.Scalar(place, Node.Scalar.Type.NUMBER, parser.getText());
        };
    }

    private static Node mapping(JsonParser parser, String source, Place place) throws MalformedRecord, IOException {
        List<Node.Entry> entries = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            Place keyPlace = place(parser, source);
            if (!keys.add(key)) {
                throw new MalformedRecord(keyPlace + ": the same key stands twice in one mapping");
            }
            parser.nextToken();
            entries.add(new Node.Entry(key, keyPlace, value(parser, source)));
        }
        return new Node.Mapping(place, entries);
    }

    private static Node listing(JsonParser parser, String source, Place place) throws MalformedRecord, IOException {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser, source));
        }
        return new Node.Listing(place, items);
    }

    private static Place place(JsonParser parser, String source) {
        return new Place(source, parser.currentTokenLocation().getLineNr());
    }

    /** Compact JSON in the tree's own order: the same tree always gives the same bytes. */
    public static byte[] write(Node node) {
        StringBuilder to = new StringBuilder();
        append(node, to);
        return to.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(Node node, StringBuilder to) {
        if (node instanceof Node.Mapping mapping) {
            String separator = "{";
            for (Node.Entry entry : mapping.entries()) {
                to.append(separator);
                JsonStrings.quote(entry.key(), to);
                append(entry.value(), to.append(':'));
                separator = ",";
            }
            to.append(mapping.entries().isEmpty() ? "{}" : "}");
        } else if (node instanceof Node.Listing listing) {
            String separator = "[";
            for (Node item : listing.items()) {
                append(item, to.append(separator));
                separator = ",";
            }
            to.append(listing.items().isEmpty() ? "[]" : "]");
        } else if (node instanceof Node.Scalar scalar) {
            switch (scalar.type()) {
                case TEXT -> JsonStrings.quote(scalar.text(), to);
                case NOTHING -> to.append("null");
                case NUMBER, TRUTH -> to.append(scalar.text());
            }
        }
    }
}

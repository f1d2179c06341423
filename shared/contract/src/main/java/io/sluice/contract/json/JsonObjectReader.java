package io.sluice.contract.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Steps through the fields of a JSON object and takes each value in the type that is asked for, with no coercion. Every
 * complaint names the field. Confined to one thread.
 */
public final class JsonObjectReader extends JsonSteps implements AutoCloseable {
    private final String path;
    private String field = "";

    private JsonObjectReader(JsonParser parser, String path) {
        super(parser);
        this.path = path;
    }

    /**
     * @param name what to call the document in complaints
     * @throws MalformedRecord when the document is too long or not an object
     */
    public static JsonObjectReader of(byte[] json, String name) throws MalformedRecord {
        JsonObjectReader reader = new JsonObjectReader(BoundedJson.strictParser(json), name);
        reader.opened(reader.token());
        return reader;
    }

    /** Moves to the next field; false at the end of the object, behind which nothing may stand. */
    public boolean next() throws MalformedRecord {
        field = "";
        if (token() == JsonToken.FIELD_NAME) {
            field = currentName();
            return true;
        }
        if (parser.getParsingContext().inRoot() && token() != null) {
            throw wrong("nothing behind the object");
        }
        return false;
    }

    /** The name of the field that {@link #next} moved to. */
    public String field() {
        return field;
    }

    /** The value, a string. */
    public String text() throws MalformedRecord {
        expect(token() == JsonToken.VALUE_STRING, "a string");
        return string();
    }

    /** The value, a string that is not empty. */
    public String name(int maxLength) throws MalformedRecord {
        String text = text();
        if (text.isEmpty() || text.length() > maxLength) {
            throw wrong("a string of 1 to " + maxLength + " characters");
        }
        return text;
    }

    /** The value, a string, or {@code null}. */
    public @Nullable String textOrNull() throws MalformedRecord {
        JsonToken token = token();
        expect(token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NULL, "a string");
        return token == JsonToken.VALUE_NULL ? null : string();
    }

    /** The value, a whole number from {@code min} to {@code max}. */
    public long whole(long min, long max) throws MalformedRecord {
        if (token() == JsonToken.VALUE_NUMBER_INT && isLong()) {
            long value = longValue();
            if (value >= min && value <= max) {
                return value;
            }
        }
        // put into words only here: doing so for each number that is right took a third of an agent's start
        throw wrong("a whole number from " + min + " to " + max);
    }

    /** The value, a finite number from {@code min} to {@code max}. */
    public double number(double min, double max) throws MalformedRecord {
        expect(token() != null && parser.currentToken().isNumeric(), "a number");
        double value = doubleValue();
        if (!Double.isFinite(value) || value < min || value > max) {
            throw wrong("a number from " + min + " to " + max);
        }
        return value;
    }

    /** The value, {@code true} or {@code false}. */
    public boolean truth() throws MalformedRecord {
        JsonToken token = token();
        expect(token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE, "true or false");
        return token == JsonToken.VALUE_TRUE;
    }

    /** The value, a list of strings. */
    public List<String> texts() throws MalformedRecord {
        expect(token() == JsonToken.START_ARRAY, "a list of strings");
        List<String> texts = new ArrayList<>();
        while (token() != JsonToken.END_ARRAY) {
            expect(parser.currentToken() == JsonToken.VALUE_STRING, "a list of strings");
            texts.add(string());
        }
        return List.copyOf(texts);
    }

    /** The value, an object of whole numbers from {@code min} to {@code max}, in its own order. */
    public Map<String, Integer> wholes(int min, int max) throws MalformedRecord {
        return numbers(min, max, number -> (int) number);
    }

    /** The value, an object of whole numbers from 0 to {@code max}, in its own order. */
    public Map<String, Long> counts(long max) throws MalformedRecord {
        return numbers(0, max, number -> number);
    }

    private <N> Map<String, N> numbers(long min, long max, LongFunction<N> as) throws MalformedRecord {
        Map<String, N> numbers = new LinkedHashMap<>();
        JsonObjectReader object = object();
        while (object.next()) {
            String name = object.field;
            // the names are data here, and must not show in a complaint
            object.field = "";
            numbers.put(name, as.apply(object.whole(min, max)));
        }
        return numbers;
    }

    /** The value, an object: read it to its end before this reader is used again. */
    public JsonObjectReader object() throws MalformedRecord {
        JsonObjectReader object = new JsonObjectReader(parser, place());
        object.opened(token());
        return object;
    }

    /** Passes over the value, whatever it is. */
    public void skip() throws MalformedRecord {
        // a field that we don't know has a name that we don't repeat
        field = "";
        if (token() != null) {
            skipChildren();
        }
    }

    /** {@code value}, which must have been there. */
    public <T> T required(@Nullable T value, String name) throws MalformedRecord {
        if (value == null) {
            throw new MalformedRecord(path + "." + name + " is missing");
        }
        return value;
    }

    /** A complaint about the field at hand. */
    public MalformedRecord wrong(String allowed) {
        return new MalformedRecord(place() + ": " + allowed + " is expected");
    }

    @Override
    public void close() {
        end();
    }

    private void opened(@Nullable JsonToken token) throws MalformedRecord {
        expect(token == JsonToken.START_OBJECT, "an object");
    }

    private void expect(boolean holds, String allowed) throws MalformedRecord {
        if (!holds) {
            throw wrong(allowed);
        }
    }

    // The names in it are our own: callers ask for known fields, and skip the others.
    @Override
    String place() {
        return field.isEmpty() ? path : path + "." + field;
    }
}

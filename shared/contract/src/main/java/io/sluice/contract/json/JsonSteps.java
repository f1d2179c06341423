package io.sluice.contract.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The steps of a parser; what stops it becomes a complaint that names the place. */
abstract class JsonSteps {
    final JsonParser parser;

    JsonSteps(JsonParser parser) {
        this.parser = parser;
    }

    /** Where it stands, for a complaint. */
    abstract String place();

    void end() {
        try {
            parser.close();
        } catch (IOException e) {
            // it reads from memory: nothing to lose
            return;
        }
    }

    @Nullable
    JsonToken token() throws MalformedRecord {
        try {
            return parser.nextToken();
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    String currentName() throws MalformedRecord {
        try {
            return parser.currentName();
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    String string() throws MalformedRecord {
        try {
            return parser.getText();
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    boolean isLong() throws MalformedRecord {
        try {
            return parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    long longValue() throws MalformedRecord {
        try {
            return parser.getLongValue();
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    double doubleValue() throws MalformedRecord {
        try {
            return parser.getDoubleValue();
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    void skipChildren() throws MalformedRecord {
        try {
            parser.skipChildren();
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    private MalformedRecord stopped(IOException e) {
        return BoundedJson.malformed(place(), parser, e);
    }
}

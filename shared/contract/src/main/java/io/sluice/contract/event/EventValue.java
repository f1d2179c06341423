package io.sluice.contract.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes a value of a request event in its one type, within its bounds; each complaint names our field. */
final class EventValue {
    private static final double MICROS = 1000;
    private static final double MAX_MILLIS = RequestEvent.MAX_COST / MICROS;

    private EventValue() {}

    /** A string; an empty one counts as none. */
    static @Nullable String text(JsonParser parser, EventTarget target) throws IOException, MalformedRecord {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw wrong(target, "a string");
        }
        String text = parser.getText();
        return text.isEmpty() ? null : text;
    }

    /** A whole number from 0 to {@code max}. */
    static long whole(JsonParser parser, EventTarget target, long max) throws IOException, MalformedRecord {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            long value = parser.getLongValue();
            if (value >= 0 && value <= max) {
                return value;
            }
        }
        throw wrong(target, "a whole number from 0 to " + max);
    }

    static int status(JsonParser parser, EventTarget target) throws IOException, MalformedRecord {
        long value = whole(parser, target, 599);
        if (!RequestEvent.isStatus(value)) {
            throw wrong(target, "0 or a number from 100 to 599");
        }
        return (int) value;
    }

    static long count(JsonParser parser, EventTarget target) throws IOException, MalformedRecord {
        long value = whole(parser, target, RequestEvent.MAX_COUNT);
        if (value == 0) {
            throw wrong(target, "a number of 1 or more");
        }
        return value;
    }

    /** Milliseconds, as whole microseconds. */
    static long micros(JsonParser parser, EventTarget target) throws IOException, MalformedRecord {
        if (!parser.currentToken().isNumeric()) {
            throw wrong(target, "a number");
        }
        double millis = parser.getDoubleValue();
        long micros = micros(millis);
        if (micros < 0) {
            throw wrong(target, "a number from 0 to " + (long) MAX_MILLIS);
        }
        return micros;
    }

    /** Milliseconds as whole microseconds; -1 when they are out of their range. */
    static long micros(double millis) {
        // written so that it also refuses what is not a number
        return !(millis >= 0 && millis <= MAX_MILLIS) ? -1 : Math.round(millis * MICROS);
    }

    static Outcome outcome(JsonParser parser, EventTarget target) throws IOException, MalformedRecord {
        String text = text(parser, target);
        Outcome value = text == null ? null : Outcome.spelt(text);
        if (value == null) {
            throw wrong(target, "allowed, locked or limited");
        }
        return value;
    }

    static Identity identity(JsonParser parser, EventTarget target) throws IOException, MalformedRecord {
        String text = text(parser, target);
        Identity value = text == null ? null : Identity.spelt(text);
        if (value == null) {
            throw wrong(target, "authenticated, network or claimed");
        }
        return value;
    }

    static MalformedRecord wrong(EventTarget target, String allowed) {
        return new MalformedRecord("request." + target.place() + ": " + allowed + " is expected");
    }
}

package io.sluice.contract.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.contract.json.Envelope;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request event's fields while they are read, in whatever order they come. */
final class EventFields {
    private final EventLayout layout;
    private @Nullable EventTarget at;
    private long seen;

    private long time = -1;
    private @Nullable String caller;
    private int callerRank = Integer.MAX_VALUE;
    private @Nullable String service;
    private @Nullable String route;
    private @Nullable String method;
    private @Nullable String ip;
    private int status;
    private long bytes;
    private long micros;
    private long cost;
    private @Nullable String agent;
    private @Nullable Outcome outcome;
    private long count = 1;
    private @Nullable Identity identity;
    private Map<String, String> labels = Map.of();
    private boolean ours;
    private long format = Envelope.FORMAT;

    EventFields(EventLayout layout) {
        this.layout = layout;
    }

    /** Takes the value that the parser stands on. */
    void take(EventTarget target, JsonParser parser) throws IOException, MalformedRecord {
        at = target;
        Field field = target.field();
        if (field == null) {
            envelope(target, parser);
            return;
        }
        if ((seen & target.bit()) != 0) {
            throw new MalformedRecord(place() + ": stands twice");
        }
        seen |= target.bit();
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (field) {
            case TIME -> time = EventValue.whole(parser, target, Long.MAX_VALUE);
            case CALLER -> caller(target.rank(), EventValue.text(parser, target));
            case SERVICE -> service = EventValue.text(parser, target);
            case ROUTE -> route = EventValue.text(parser, target);
            case METHOD -> method = EventValue.text(parser, target);
            case IP -> ip = EventValue.text(parser, target);
            case STATUS -> status = EventValue.status(parser, target);
            case BYTES -> bytes = EventValue.whole(parser, target, RequestEvent.MAX_COST);
            case COST -> cost = EventValue.whole(parser, target, RequestEvent.MAX_COST);
            case MILLIS -> micros = EventValue.micros(parser, target);
            case AGENT -> agent = EventValue.text(parser, target);
            case OUTCOME -> outcome = EventValue.outcome(parser, target);
            case COUNT -> count = EventValue.count(parser, target);
            case IDENTITY -> identity = EventValue.identity(parser, target);
            case LABELS -> labels(target, parser);
        }
    }

    /** Takes a text; false when it has to be looked at again, or is wrong. After that, these fields are of no use. */
    boolean takeText(EventTarget first, String text) {
        String value = text.isEmpty() ? null : text;
        for (@Nullable EventTarget target = first; target != null; target = target.next()) {
            Field field = target.field();
            if (field == null) {
                ours = target.name().equals(EventTarget.TYPE.name()) ? text.equals(RequestEventJson.TYPE) : ours;
            } else if (!see(target)) {
                return false;
            } else {
                switch (field) {
                    case CALLER -> caller(target.rank(), value);
                    case SERVICE -> service = value;
                    case ROUTE -> route = value;
                    case METHOD -> method = value;
                    case IP -> ip = value;
                    case AGENT -> agent = value;
                    case OUTCOME -> outcome = Outcome.spelt(text);
                    case IDENTITY -> identity = Identity.spelt(text);
                    default -> {
                        return false;
                    }
                }
                if ((field == Field.OUTCOME && outcome == null) || (field == Field.IDENTITY && identity == null)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Takes a number of 0 or more, as {@link #takeText} takes a text. */
    boolean takeWhole(EventTarget first, long value) {
        for (@Nullable EventTarget target = first; target != null; target = target.next()) {
            Field field = target.field();
            if (field == null) {
                envelope(target, value);
            } else if (!see(target) || value > largest(field)) {
                return false;
            } else {
                switch (field) {
                    case TIME -> time = value;
                    case STATUS -> status = (int) value;
                    case BYTES -> bytes = value;
                    case COST -> cost = value;
                    case MILLIS -> micros = EventValue.micros((double) value);
                    default -> count = value;
                }
                if (micros < 0 || count == 0 || !RequestEvent.isStatus(status)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Takes a number with decimals, as {@link #takeText} takes a text. */
    boolean takeDecimal(EventTarget first, double value) {
        for (@Nullable EventTarget target = first; target != null; target = target.next()) {
            if (target.field() == null) {
                ours &= !target.name().equals(EventTarget.TYPE.name());
            } else if (!see(target) || target.field() != Field.MILLIS) {
                return false;
            } else {
                micros = EventValue.micros(value);
            }
        }
        return micros >= 0;
    }

    private void envelope(EventTarget target, long value) {
        if (target.name().equals(EventTarget.TYPE.name())) {
            ours = false;
        } else {
            format = value;
        }
    }

    /** Returns the largest whole number of a field, -1 for fields that hold texts. */
    private static long largest(Field field) {
        return switch (field) {
            case TIME, MILLIS -> Long.MAX_VALUE;
            case STATUS -> 599;
            case BYTES, COST -> RequestEvent.MAX_COST;
            case COUNT -> RequestEvent.MAX_COUNT;
            default -> -1;
        };
    }

    /** Returns false when the field stands twice. */
    private boolean see(EventTarget target) {
        boolean first = (seen & target.bit()) == 0;
        seen |= target.bit();
        return first;
    }

    void done() {
        at = null;
    }

    /** Where reading stands, in our own words. */
    String place() {
        EventTarget target = at;
        return target == null ? "request" : "request." + target.place();
    }

    RequestEvent event() throws MalformedRecord {
        if (ours && format > Envelope.FORMAT) {
            throw new MalformedRecord("request.format: newer than " + Envelope.FORMAT + ", which this version reads");
        }
        if (time < 0) {
            throw new MalformedRecord("request.time is missing");
        }
        String who = caller;
        if (who == null) {
            throw new MalformedRecord("request.caller is missing or empty");
        }
        return new RequestEvent(
                time,
                who,
                service == null ? layout.service() : service,
                route(),
                method == null ? null : capitals(method),
                address(),
                status,
                bytes,
                micros,
                agent,
                outcome == null ? outcomeOfStatus() : outcome,
                count,
                identity == null ? layout.identity() : layout.identity().weaker(identity),
                labels,
                cost);
    }

    private void envelope(EventTarget target, JsonParser parser) throws IOException {
        // other people's fields of this name are none of our business, whatever they hold
        if (target.name().equals(EventTarget.TYPE.name())) {
            ours = parser.currentToken() == JsonToken.VALUE_STRING
                    && parser.getText().equals(RequestEventJson.TYPE);
        } else if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            format = parser.getLongValue();
        }
        if (target.next() == null) {
            parser.skipChildren();
        }
    }

    private void caller(int rank, @Nullable String text) {
        if (text != null && rank < callerRank) {
            caller = text;
            callerRank = rank;
        }
    }

    private @Nullable String route() {
        String path = route;
        return path == null || ours ? path : layout.routes().normalize(path);
    }

    private @Nullable String address() throws MalformedRecord {
        if (ip == null) {
            return null;
        }
        String canonical = Addresses.canonical(ip);
        if (canonical == null) {
            throw new MalformedRecord("request.ip: an IPv4 or IPv6 address is expected");
        }
        return canonical;
    }

    private Outcome outcomeOfStatus() {
        return layout.rejected().contains(status) ? Outcome.LIMITED : Outcome.ALLOWED;
    }

    private static String capitals(String method) {
        for (int i = 0; i < method.length(); i++) {
            char c = method.charAt(i);
            if (c < 'A' || c > 'Z') {
                return method.toUpperCase(Locale.ROOT);
            }
        }
        return method;
    }

    private void labels(EventTarget target, JsonParser parser) throws IOException, MalformedRecord {
        if (target.label() != null) {
            label(target, target.label(), EventValue.text(parser, target));
            return;
        }
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw EventValue.wrong(target, "an object of strings");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                label(target, name, EventValue.text(parser, target));
            }
        }
    }

    private void label(EventTarget target, String name, @Nullable String value) throws MalformedRecord {
        if (value == null) {
            return;
        }
        if (labels.isEmpty()) {
            labels = new HashMap<>();
        }
        if (labels.put(name, value) != null) {
            throw EventValue.wrong(target, "each label once");
        }
        if (labels.size() > RequestEvent.MAX_LABELS) {
            throw EventValue.wrong(target, "at most " + RequestEvent.MAX_LABELS + " labels");
        }
    }
}

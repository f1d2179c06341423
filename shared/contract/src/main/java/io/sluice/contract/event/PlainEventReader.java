package io.sluice.contract.event;

import io.sluice.contract.event.EventNames.Name;
import io.sluice.contract.json.MalformedRecord;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads request events exactly as {@link RequestEventReader} does, and faster where they are plain: an object of ASCII texts without escapes
 * and of simple numbers, without space between them, as agents and most servers write it. Everything else, right or wrong, is left to the
 * other reader. Texts that come again are the same objects. Not thread-safe.
 */
public final class PlainEventReader {
    /** A name with its quotes and the colon; shorter than the bounds of the other reader. */
    static final int LONGEST_NAME = 128;

    private static final int LONGEST_TEXT = 1024;
    private static final int LONGEST_EVENT = 16 * 1024;
    /** Numbers of so many digits are exact as a {@code long}, and below 2^53 as a {@code double}, too. */
    private static final int WHOLE_DIGITS = 18;

    private static final int DECIMAL_DIGITS = 15;
    private static final double[] POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private final RequestEventReader reader;
    private final RepeatedTexts texts;
    private final EventNames names;
    private int at;

    /** @param reader for what is not plain */
    public PlainEventReader(RequestEventReader reader) {
        this(reader, new RepeatedTexts());
    }

    private PlainEventReader(RequestEventReader reader, RepeatedTexts texts) {
        this.reader = reader;
        this.texts = texts;
        names = new EventNames(reader.targets());
    }

    /** The same reader, which reads these fields and those that are always needed; this one is not to be used any more. */
    public PlainEventReader wanting(Set<Field> fields) {
        return new PlainEventReader(reader.wanting(fields), texts);
    }

    /**
     * Returns the event that {@code value} holds.
     *
     * @throws MalformedRecord as {@link RequestEventReader#read}
     */
    public RequestEvent read(byte[] value) throws MalformedRecord {
        EventFields fields = plain(value);
        return fields == null ? reader.read(value) : fields.event();
    }

    private @Nullable EventFields plain(byte[] json) {
        if (json.length > LONGEST_EVENT || json.length < 2 || json[0] != '{' || json[json.length - 1] != '}') {
            return null;
        }
        EventFields fields = new EventFields(reader.layout());
        names.begin();
        at = 1;
        while (at < json.length) {
            Name name = names.at(json, at);
            if (name == null) {
                return null;
            }
            at += name.length();
            // the last byte is no part of a value
            if (at >= json.length || !value(json, name.target, fields)) {
                return null;
            }
            byte after = json[at++];
            if (after == '}') {
                return at == json.length ? fields : null;
            }
            if (after != ',') {
                return null;
            }
        }
        return null;
    }

    private boolean value(byte[] json, @Nullable EventTarget target, EventFields fields) {
        return json[at] == '"' ? text(json, target, fields) : number(json, target, fields);
    }

    private boolean text(byte[] json, @Nullable EventTarget target, EventFields fields) {
        int from = at + 1;
        int hash = 0;
        int to = from;
        for (byte b = json[to]; b != '"'; b = json[to]) {
            if (b < ' ' || b == '\\' || b == 0x7f || ++to == json.length) {
                return false;
            }
            hash = 31 * hash + b;
        }
        at = to + 1;
        if (to - from > LONGEST_TEXT || at == json.length) {
            return false;
        }
        return target == null || fields.takeText(target, texts.of(json, from, to, hash));
    }

    private boolean number(byte[] json, @Nullable EventTarget target, EventFields fields) {
        int from = at;
        long number = digits(json, 0);
        int whole = at - from;
        if (whole == 0 || whole > WHOLE_DIGITS || (whole > 1 && json[from] == '0')) {
            return false;
        }
        if (json[at] != '.') {
            return target == null || fields.takeWhole(target, number);
        }
        at++;
        number = digits(json, number);
        int decimals = at - from - whole - 1;
        // both numbers are exact, so their quotient is the nearest there is, as any right parser's (Clinger, 1990)
        return decimals > 0
                && whole + decimals <= DECIMAL_DIGITS
                && (target == null || fields.takeDecimal(target, number / POWERS[decimals]));
    }

    /** Reads digits up to the first byte that is none; the event's last byte is none. */
    private long digits(byte[] json, long begin) {
        long number = begin;
        for (byte b = json[at]; b >= '0' && b <= '9'; b = json[++at]) {
            number = number * 10 + b - '0';
        }
        return number;
    }
}

package io.sluice.analyzer.ingest;

import io.sluice.contract.json.MalformedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds the wanted fields of a JSON object without making anything of the others. It is as strict as it must be to know
 * where a value ends, and no stricter: what stands inside strings is left to {@link Escapes}.
 *
 * <p>{@link #dotted} also looks into nested objects, as far as something that is wanted can stand there.
 */
final class FlatJson {
    private static final int MAX_DEPTH = 20;

    private final Fields fields;
    private final @Nullable DottedName nested;
    private byte[] json = {};
    private int at;

    FlatJson(Fields fields) {
        this(fields, null);
    }

    private FlatJson(Fields fields, @Nullable DottedName nested) {
        this.fields = fields;
        this.nested = nested;
    }

    /** A reader to which {@code {"a":{"b":1}}} and {@code {"a.b":1}} are the same. */
    static FlatJson dotted(Fields fields) {
        return new FlatJson(fields, new DottedName(fields));
    }

    void read(byte[] record) throws MalformedRecord {
        json = record;
        at = 0;
        skipSpace();
        if (peek() == 0 && at == json.length) {
            throw new MalformedRecord("an empty line");
        }
        if (nested != null) {
            nested.begin();
        }
        object();
        skipSpace();
        if (at < json.length) {
            throw wrong("nothing behind the object");
        }
    }

    private void object() throws MalformedRecord {
        expect('{', "a JSON object");
        skipSpace();
        if (peek() == '}') {
            at++;
            return;
        }
        while (true) {
            skipSpace();
            int name = at + 1;
            string();
            int end = at - 1;
            int slot = nested == null ? fields.slot(json, name, end) : nested.slot(json, name, end);
            skipSpace();
            expect(':', "a colon");
            skipSpace();
            if (slot >= 0 || nested == null || peek() != '{' || !inside(nested, name, end)) {
                value(slot);
            }
            skipSpace();
            if (peek() == '}') {
                at++;
                return;
            }
            expect(',', "a comma or the object's end");
        }
    }

    /** Reads the object that the member with this name is, when something that is wanted can stand there. */
    private boolean inside(DottedName path, int name, int end) throws MalformedRecord {
        int before = path.length();
        if (!path.enter(json, name, end)) {
            return false;
        }
        object();
        path.leave(before);
        return true;
    }

    private void value(int slot) throws MalformedRecord {
        int from = at;
        byte first = peek();
        if (first == '"') {
            string();
            put(slot, from + 1, at - 1);
        } else if (first == '{' || first == '[') {
            skipNested();
            if (slot >= 0) {
                throw new MalformedRecord(fields.name(slot) + ": a single value is expected");
            }
        } else {
            while (at < json.length && isLiteral(json[at])) {
                at++;
            }
            if (at == from) {
                throw wrong("a value");
            }
            boolean nothing = at - from == 4 && json[from] == 'n';
            put(slot, from, nothing ? from : at);
        }
    }

    private void put(int slot, int from, int to) throws MalformedRecord {
        if (slot >= 0) {
            fields.put(slot, from, to);
        }
    }

    /** Passes over an object or a list, whatever is in it. */
    private void skipNested() throws MalformedRecord {
        int depth = 0;
        do {
            byte b = peek();
            if (b == '"') {
                string();
                continue;
            }
            if (at == json.length) {
                throw wrong("the end of a nested value");
            }
            if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            }
            at++;
        } while (depth > 0 && depth <= MAX_DEPTH);
        if (depth > 0) {
            throw wrong("at most " + MAX_DEPTH + " levels");
        }
    }

    /** Passes over a string and its quotes. */
    private void string() throws MalformedRecord {
        expect('"', "a string");
        while (at < json.length && json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        if (at >= json.length) {
            at = json.length;
            throw wrong("the end of a string");
        }
        at++;
    }

    private static boolean isLiteral(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || b == '.' || b == '-' || b == '+' || b == 'E';
    }

    private void skipSpace() {
        while (at < json.length && json[at] >= 0 && json[at] <= ' ') {
            at++;
        }
    }

    private byte peek() {
        return at < json.length ? json[at] : 0;
    }

    private void expect(char wanted, String name) throws MalformedRecord {
        if (peek() != wanted) {
            throw wrong(name);
        }
        at++;
    }

    private MalformedRecord wrong(String expected) {
        return new MalformedRecord(expected + " is expected at byte " + at);
    }
}

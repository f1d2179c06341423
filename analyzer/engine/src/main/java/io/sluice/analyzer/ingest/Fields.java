package io.sluice.analyzer.ingest;

import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the fields of one log line stand in its bytes. One object serves all lines of a source: nothing becomes text
 * before it is asked for.
 */
final class Fields {
    private static final byte[] NONE = {};

    private final byte[][] names;
    private final List<String> spelt;
    private final int[] from;
    private final int[] to;
    private byte[] line = NONE;

    /** @param names of the fields that are wanted; a field's slot is its position here */
    Fields(List<String> names) {
        this.names = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        spelt = List.copyOf(names);
        from = new int[names.size()];
        to = new int[names.size()];
    }

    void begin(byte[] line) {
        this.line = line;
        Arrays.fill(from, -1);
    }

    /** The slot of the field whose name stands in these bytes, or -1 when it is not used. */
    int slot(byte[] text, int nameFrom, int nameTo) {
        int length = nameTo - nameFrom;
        for (int slot = 0; slot < names.length; slot++) {
            byte[] name = names[slot];
            if (name.length == length && Arrays.equals(name, 0, length, text, nameFrom, nameTo)) {
                return slot;
            }
        }
        return -1;
    }

    /** Returns whether a wanted field's name begins with these first bytes and goes on. */
    boolean anyBegins(byte[] text, int length) {
        for (byte[] name : names) {
            if (name.length > length && Arrays.equals(name, 0, length, text, 0, length)) {
                return true;
            }
        }
        return false;
    }

    void put(int slot, int valueFrom, int valueTo) throws MalformedRecord {
        if (from[slot] >= 0) {
            throw new MalformedRecord(spelt.get(slot) + ": stands twice");
        }
        from[slot] = valueFrom;
        to[slot] = valueTo;
    }

    /** Returns whether the field has a value: {@code -} and nothing at all are how servers write that there is none. */
    boolean present(int slot) {
        if (slot < 0 || from[slot] < 0) {
            return false;
        }
        int length = to[slot] - from[slot];
        return length > 1 || (length == 1 && line[from[slot]] != '-');
    }

    /** The value as text, escapes read; {@code null} when there is none. */
    @Nullable
    String text(int slot) {
        return present(slot) ? Escapes.text(line, from[slot], to[slot]) : null;
    }

    /** The time, or {@link LogTime#UNREADABLE}. */
    long time(int slot) {
        byte[] bytes = plain(slot);
        return bytes == line ? LogTime.of(line, from[slot], to[slot]) : LogTime.of(bytes, 0, bytes.length);
    }

    /** The whole number, 0 when there is none, or -1 when it is something else. */
    long whole(int slot) {
        if (!present(slot)) {
            return 0;
        }
        byte[] bytes = plain(slot);
        return bytes == line ? Digits.of(line, from[slot], to[slot]) : Digits.of(bytes, 0, bytes.length);
    }

    /** The decimal number times a million, 0 when there is none, or -1 when it is something else. */
    long micros(int slot) {
        if (!present(slot)) {
            return 0;
        }
        byte[] bytes = plain(slot);
        return bytes == line ? Digits.micros(line, from[slot], to[slot]) : Digits.micros(bytes, 0, bytes.length);
    }

    /** Some encoders escape what needs no escape, such as the slashes of a date. */
    private byte[] plain(int slot) {
        for (int i = from[slot]; i < to[slot]; i++) {
            if (line[i] == '\\') {
                return Escapes.text(line, from[slot], to[slot]).getBytes(StandardCharsets.UTF_8);
            }
        }
        return line;
    }

    /** Name of the field in the source. */
    String name(int slot) {
        return spelt.get(slot);
    }
}

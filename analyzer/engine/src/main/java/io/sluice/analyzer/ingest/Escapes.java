package io.sluice.analyzer.ingest;

import java.nio.charset.StandardCharsets;

/**
 * Text as servers escape it in their logs: JSON's escapes (RFC 8259, section 7), and {@code \xHH} for a byte, which nginx
 * and Apache httpd write. What is no escape stays as it is; bytes that are not UTF-8 become U+FFFD.
 */
final class Escapes {
    private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

    private Escapes() {}

    static String text(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\\') {
                return escaped(bytes, from, to);
            }
        }
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static String escaped(byte[] bytes, int from, int to) {
        // no escape is longer read than written: \u00e9 is two bytes, \ud83d\ude00 four
        byte[] read = new byte[to - from];
        int length = 0;
        int at = from;
        while (at < to) {
            int size = bytes[at] == '\\' && at + 1 < to ? size(bytes, at, to) : 1;
            if (size == 6 || size == 12) {
                length = unicode(bytes, at, size, read, length);
            } else {
                read[length++] = size == 1 ? bytes[at] : single(bytes, at, size);
            }
            at += size;
        }
        return new String(read, 0, length, StandardCharsets.UTF_8);
    }

    /** How many bytes the escape at {@code at} takes: 1 for none, 2, 4 for {@code \xHH}, 6 or 12 for {@code \\u}. */
    private static int size(byte[] bytes, int at, int to) {
        byte kind = bytes[at + 1];
        if (kind == 'x') {
            return hex(bytes, at + 2, 2, to) < 0 ? 1 : 4;
        }
        if (kind == 'u') {
            int unit = hex(bytes, at + 2, 4, to);
            if (unit < 0) {
                return 1;
            }
            boolean pair = Character.isHighSurrogate((char) unit)
                    && at + 7 < to
                    && bytes[at + 6] == '\\'
                    && bytes[at + 7] == 'u'
                    && hex(bytes, at + 8, 4, to) >= 0
                    && Character.isLowSurrogate((char) hex(bytes, at + 8, 4, to));
            return pair ? 12 : 6;
        }
        return "\"\\/bfnrtv".indexOf(kind) < 0 ? 1 : 2;
    }

    private static byte single(byte[] bytes, int at, int size) {
        if (size == 4) {
            return (byte) hex(bytes, at + 2, 2, at + 4);
        }
        return switch (bytes[at + 1]) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 0x0B;
            default -> bytes[at + 1];
        };
    }

    private static int unicode(byte[] bytes, int at, int size, byte[] to, int length) {
        char first = (char) hex(bytes, at + 2, 4, at + 6);
        byte[] utf8;
        if (size == 12) {
            char second = (char) hex(bytes, at + 8, 4, at + 12);
            utf8 = new String(new char[] {first, second}).getBytes(StandardCharsets.UTF_8);
        } else {
            utf8 = Character.isSurrogate(first)
                    ? REPLACEMENT
                    : String.valueOf(first).getBytes(StandardCharsets.UTF_8);
        }
        System.arraycopy(utf8, 0, to, length, utf8.length);
        return length + utf8.length;
    }

    /** The number in {@code digits} hexadecimal digits, or -1. */
    private static int hex(byte[] bytes, int from, int digits, int to) {
        if (from + digits > to) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }
}

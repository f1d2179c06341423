package io.sluice.contract.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Bytes from untrusted sources as printable text: nothing is hidden, and no terminal executes it. */
public final class SafeBytes {
    private SafeBytes() {}

    /** UTF-8 as it is, and whatever is not printable, or not UTF-8, as {@code \xNN} or {@code \\u{N}}; a backslash is doubled. */
    public static String text(byte[] bytes) {
        try {
            String decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            StringBuilder text = new StringBuilder(decoded.length());
            decoded.codePoints().forEach(c -> append(c, PrintableText.of(Character.toString(c)), text));
            return text.toString();
        } catch (CharacterCodingException e) {
            StringBuilder text = new StringBuilder(bytes.length);
            for (byte b : bytes) {
                int c = b & 0xff;
                append(c, c < 0x80 ? PrintableText.of(Character.toString(c)) : "", text);
            }
            return text.toString();
        }
    }

    private static void append(int c, String printable, StringBuilder text) {
        if (c == '\\') {
            text.append("\\\\");
        } else if (printable.codePointCount(0, printable.length()) == 1 && printable.codePointAt(0) == c) {
            text.appendCodePoint(c);
        } else {
            text.append(
                    c < 0x100 ? String.format(Locale.ROOT, "\\x%02x", c) : String.format(Locale.ROOT, "\\u{%x}", c));
        }
    }
}

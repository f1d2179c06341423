package io.sluice.contract.json;

import java.util.Locale;
import java.util.stream.Collectors;

/** Text that others have written, made safe for terminals, logs and messages of one line. */
public final class PrintableText {
    private PrintableText() {}

    /** Escape sequences, line breaks, marks that turn the direction of writing and lone surrogates become question marks. */
    public static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> safe.appendCodePoint(harmful(c) ? '?' : c));
        return safe.toString();
    }

    /** The same for a message of several lines. */
    public static String lines(String text) {
        return text.lines().map(PrintableText::of).collect(Collectors.joining(System.lineSeparator()));
    }

    /** Returns the same JSON document with escapes in place of what does harm to a terminal. A document has such characters in strings only. */
    public static String json(String document) {
        if (document.codePoints().noneMatch(c -> c >= 0x7f && harmful(c))) {
            return document;
        }
        StringBuilder safe = new StringBuilder(document.length() + 16);
        document.codePoints().forEach(c -> {
            if (c < 0x7f || !harmful(c)) {
                safe.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    safe.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
            }
        });
        return safe.toString();
    }

    private static boolean harmful(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }
}

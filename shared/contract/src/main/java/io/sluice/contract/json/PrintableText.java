package io.sluice.contract.json;

/** Text that others have written, made safe for terminals, logs and messages of one line. */
public final class PrintableText {
    private PrintableText() {}

    /** Escape sequences, line breaks, marks that turn the direction of writing and lone surrogates become question marks. */
    public static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean harmful = type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || type == Character.SURROGATE;
            safe.appendCodePoint(harmful ? '?' : c);
        });
        return safe.toString();
    }
}

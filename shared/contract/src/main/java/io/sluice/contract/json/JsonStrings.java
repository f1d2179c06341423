package io.sluice.contract.json;

/**
 * JSON strings with the mandatory escapes only: quote, backslash and control characters, written as
 * <a href="https://www.rfc-editor.org/rfc/rfc8785">RFC 8785</a> does. A surrogate without its other half is escaped as
 * well, since UTF-8 can't hold it: so different strings always differ in their bytes.
 */
public final class JsonStrings {
    private static final String HEX = "0123456789abcdef";

    private JsonStrings() {}

    /** Appends {@code text} with its quotes. */
    public static void quote(String text, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ') {
                control(c, to);
            } else if (!Character.isSurrogate(c)) {
                to.append(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                to.append(c).append(text.charAt(++i));
            } else {
                unicode(c, to);
            }
        }
        to.append('"');
    }

    private static void control(char c, StringBuilder to) {
        switch (c) {
            case '\b' -> to.append("\\b");
            case '\t' -> to.append("\\t");
            case '\n' -> to.append("\\n");
            case '\f' -> to.append("\\f");
            case '\r' -> to.append("\\r");
            default -> unicode(c, to);
        }
    }

    private static void unicode(char c, StringBuilder to) {
        to.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            to.append(HEX.charAt((c >> shift) & 0xf));
        }
    }
}

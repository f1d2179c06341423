package io.sluice.agent.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The text of HTTP header values. Servers read each byte as a character of ISO 8859-1; clients and proxies send UTF-8, and proxies log it. A name
 * that is not ASCII would differ between the log and the gate.
 */
public final class HeaderText {
    private static final int ASCII = 0x80;
    private static final int ISO_8859_1 = 0x100;

    private HeaderText() {}

    /**
     * Returns a header's value as UTF-8.
     *
     * @param value as the server read it
     * @return the text; bytes that are no UTF-8 become U+FFFD. The value itself when it is ASCII, or was not read as ISO 8859-1
     */
    public static String utf8(String value) {
        boolean ascii = true;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ISO_8859_1) {
                return value;
            }
            ascii &= c < ASCII;
        }
        return ascii ? value : new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    static List<String> utf8(List<String> values) {
        return values.isEmpty() ? values : values.stream().map(HeaderText::utf8).toList();
    }
}

package io.sluice.demo.view;

import io.sluice.analyzer.output.Terminal;
import java.util.Locale;
import java.util.Map;

/**
 * Colours of a terminal.
 *
 * @param colours whether it may be coloured
 * @param blocks whether it can show block characters; else bars are made of {@code #}
 */
record Ink(boolean colours, boolean blocks) {

    /** By the environment: {@code NO_COLOR} (no-color.org) and the locale's character set. */
    static Ink of(Map<String, String> environment) {
        return new Ink(Terminal.of(true, environment).colour(), utf8(environment));
    }

    private static boolean utf8(Map<String, String> environment) {
        for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String locale = environment.getOrDefault(name, "");
            if (!locale.isEmpty()) {
                String lower = locale.toLowerCase(Locale.ROOT);
                return lower.contains("utf-8") || lower.contains("utf8");
            }
        }
        return false;
    }

    String paint(String text, Terminal.Ink ink) {
        return new Terminal(true, colours).paint(ink, text);
    }

    /** A bar that fills a part of the width, to the nearest half character where blocks can be shown. */
    String bar(double part, int width) {
        double filled = Math.max(0, Math.min(1, part)) * width;
        if (!blocks) {
            return "#".repeat((int) Math.round(filled));
        }
        long halves = Math.round(filled * 2);
        return "\u2588".repeat((int) (halves / 2)) + (halves % 2 == 1 ? "\u258c" : "");
    }
}

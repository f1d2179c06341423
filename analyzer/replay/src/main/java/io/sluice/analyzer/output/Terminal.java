package io.sluice.analyzer.output;

import java.util.Map;

/**
 * The terminal that a command prints to.
 *
 * @param person whether it is interactive: then a watched table is redrawn in place
 * @param colour whether it may be coloured
 */
public record Terminal(boolean person, boolean colour) {

    /** How much something matters. */
    public enum Ink {
        PLAIN(""),
        TITLE("1"),
        GOOD("32"),
        WARNING("33"),
        BAD("31"),
        FAINT("2");

        private final String code;

        Ink(String code) {
            this.code = code;
        }
    }

    /** The launcher looks whether output goes to a terminal; see no-color.org for {@code NO_COLOR}. */
    public static Terminal here() {
        return of(Boolean.getBoolean("sluice.terminal"), System.getenv());
    }

    /**
     * The terminal of an environment.
     *
     * @param terminal whether it is interactive
     */
    public static Terminal of(boolean terminal, Map<String, String> environment) {
        return new Terminal(
                terminal, terminal && environment.getOrDefault("NO_COLOR", "").isEmpty());
    }

    /** Returns the text in a colour, or as it is where there are none. */
    public String paint(Ink ink, String text) {
        return colour && ink != Ink.PLAIN ? "\u001b[" + ink.code + "m" + text + "\u001b[0m" : text;
    }
}

package io.sluice.settings;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The format of {@code bootstrap.servers}. Kafka's clients report a malformed address only after retries, if at all. */
final class BootstrapServers {
    /** What is allowed, for messages. */
    static final String ALLOWED = "HOST:PORT, with a port of 1 to 65535, or several with commas";

    /** As Kafka reads an address: {@code HOST:PORT}, {@code [IPV6]:PORT}, or one with a security protocol in front. */
    private static final Pattern ADDRESS = Pattern.compile("(?:[\\w\\-%.]*://)?\\[?[\\w\\-%.:]*]?:(\\d{1,5})");

    private static final int HIGHEST_PORT = 65_535;

    private BootstrapServers() {}

    /** Returns whether the text has an address and nothing else between its commas. Spaces are skipped, as Kafka does; it refuses empty entries. */
    static boolean valid(String servers) {
        for (String each : servers.split(",", -1)) {
            Matcher matcher = ADDRESS.matcher(each.strip());
            int port = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
            if (port < 1 || port > HIGHEST_PORT) {
                return false;
            }
        }
        return true;
    }
}

package io.sluice.kafka.embedded;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where one listener listens. Always a loopback address: the broker has no password by default.
 *
 * @param name the listener's name, upper case as Kafka wants it
 * @param host a loopback address or a name of one; an IPv6 address without brackets
 * @param port 0 to 65535, 0 = any free one
 */
record ListenerAddress(String name, String host, int port) {

    /** The client listener where none was asked for. */
    static final String DEFAULT_NAME = "PLAINTEXT";

    static final String LOOPBACK = "127.0.0.1";

    private static final Pattern FORM =
            Pattern.compile("([A-Za-z0-9_-]+)://(\\[[0-9A-Fa-f:]+]|[^:/\\[\\]]*):(\\d{1,5})");

    ListenerAddress {
        requirePort(port);
        if (!isLoopback(host)) {
            throw new IllegalArgumentException("listener " + name + " is to listen on " + host
                    + ", but an embedded broker listens on loopback addresses only, such as " + LOOPBACK);
        }
        name = name.toUpperCase(Locale.ROOT);
    }

    static void requirePort(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + ", allowed is 0 (any free one) to 65535");
        }
    }

    /** Reads Kafka's {@code listeners} setting: {@code NAME://host:port,…}; an empty host is 127.0.0.1. */
    static List<ListenerAddress> parseAll(String listeners) {
        return Arrays.stream(listeners.split(","))
                .map(String::strip)
                .map(ListenerAddress::parse)
                .toList();
    }

    private static ListenerAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("listeners: found '" + text
                    + "', allowed is NAME://host:port, … such as " + "PLAINTEXT://" + LOOPBACK + ":9092");
        }
        String host = form.group(2).replaceAll("[\\[\\]]", "");
        return new ListenerAddress(form.group(1), host.isEmpty() ? LOOPBACK : host, Integer.parseInt(form.group(3)));
    }

    ListenerAddress withPort(int bound) {
        return new ListenerAddress(name, host, bound);
    }

    /** {@code host:port}, as clients want it. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** {@code NAME://host:port}, as the broker wants it. */
    String uri() {
        return name + "://" + authority();
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}

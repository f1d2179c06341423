package io.sluice.settings;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Cidr;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns what was found into typed values; what can't be is noted as a problem and stands in for itself as the default. */
final class Values {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(|B|KB|MB|GB)");

    private static final Pattern LISTEN = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^:\\s\\[\\]]+)):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    private final Map<String, Found> found;
    private final List<String> problems;

    Values(Map<String, Found> found, List<String> problems) {
        this.found = found;
        this.problems = problems;
    }

    /** The value, the default where nothing was found, or {@code null} where that is empty. */
    @Nullable
    String optional(String key) {
        List<String> values = list(key);
        return values.isEmpty() || values.get(0).isEmpty() ? null : values.get(0);
    }

    String text(String key) {
        String value = optional(key);
        return value == null ? "" : value;
    }

    @Nullable
    Path path(String key) {
        String value = optional(key);
        return value == null ? null : Path.of(value);
    }

    List<String> list(String key) {
        return at(key).values();
    }

    /** Addresses and networks; empty entries are left out. */
    List<Cidr> networks(String key) {
        List<Cidr> networks = new ArrayList<>();
        for (String text : list(key)) {
            if (!text.isEmpty()) {
                try {
                    networks.add(Cidr.parse(text));
                } catch (IllegalArgumentException e) {
                    problem(key, text, "an address or network such as 10.0.0.0/8; " + e.getMessage());
                }
            }
        }
        return networks;
    }

    /** Names and addresses, IPv6 ones in brackets; empty entries are left out. */
    List<String> hosts(String key) {
        List<String> hosts = new ArrayList<>();
        for (String text : list(key)) {
            boolean brackets = text.startsWith("[") && text.endsWith("]");
            String host = brackets ? text.substring(1, text.length() - 1) : text;
            String address = host.matches("[0-9A-Fa-f:.]+") ? Addresses.canonical(host) : null;
            if (address != null && address.contains(":")) {
                hosts.add("[" + address + "]");
            } else if (!brackets && host.matches("[A-Za-z0-9_.-]+")) {
                hosts.add(host);
            } else if (!text.isEmpty()) {
                problem(
                        key,
                        text,
                        "a name or an address without scheme, port and path, such as sluice.internal or fd00::5");
            }
        }
        return hosts;
    }

    boolean truth(String key) {
        String value = text(key);
        if (!value.equals("true") && !value.equals("false")) {
            problem(key, value, "true or false");
        }
        return value.equals("true");
    }

    int number(String key, int least, int most) {
        String value = text(key);
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, together with what is allowed
        }
        problem(key, value, "a whole number from " + least + " to " + most);
        return least;
    }

    /** A duration in milliseconds. */
    long millis(String key, long least, long most) {
        Matcher matcher = DURATION.matcher(text(key));
        if (matcher.matches()) {
            long millis = Long.parseLong(matcher.group(1)) * unitMillis(matcher.group(2));
            if (millis >= least && millis <= most) {
                return millis;
            }
        }
        problem(key, text(key), "a duration such as 200ms, 10s or 5m, from " + least + " ms to " + most + " ms");
        return least;
    }

    /** A size in bytes. */
    long bytes(String key, long least, long most) {
        Matcher matcher = SIZE.matcher(text(key));
        if (matcher.matches()) {
            int shift = List.of("", "KB", "MB", "GB").indexOf(matcher.group(2).replaceFirst("^B$", "")) * 10;
            long units = Long.parseLong(matcher.group(1));
            if (units <= most >> shift && units << shift >= least) {
                return units << shift;
            }
        }
        problem(key, text(key), "a size such as 128MB, from " + (least >> 20) + "MB to " + (most >> 20) + "MB");
        return least;
    }

    /** {@code HOST:PORT}; an IPv6 address stands in brackets. */
    SidecarSettings.Listen listen(String key) {
        Matcher matcher = LISTEN.matcher(text(key));
        if (matcher.matches() && Integer.parseInt(matcher.group(3)) <= MAX_PORT) {
            String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            return new SidecarSettings.Listen(host, Integer.parseInt(matcher.group(3)));
        }
        problem(key, text(key), "HOST:PORT, such as 127.0.0.1:8481 or [::1]:8481; port 0 is a free one");
        return new SidecarSettings.Listen("127.0.0.1", 0);
    }

    /** One of these words. */
    String choice(String key, List<String> allowed) {
        String value = text(key);
        if (!allowed.contains(value)) {
            problem(key, value, "one of " + String.join(", ", allowed));
            return allowed.get(0);
        }
        return value;
    }

    void problem(String key, String value, String allowed) {
        problems.add(at(key).place() + ": " + key + ": found " + (value.isEmpty() ? "nothing" : value) + ", allowed is "
                + allowed);
    }

    Found at(String key) {
        Found here = found.get(key);
        if (here != null) {
            return here;
        }
        Matcher source = KnownKeys.SOURCE_KEY.matcher(key);
        return Found.byDefault(
                source.matches()
                        ? KnownKeys.SOURCE.getOrDefault(source.group(2), "")
                        : KnownKeys.DEFAULTS.getOrDefault(key, ""));
    }

    private static long unitMillis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 86_400_000;
        };
    }
}

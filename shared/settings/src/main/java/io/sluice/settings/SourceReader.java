package io.sluice.settings;

import io.sluice.contract.event.Identity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads {@code sources}; with none configured there is one, the requests topic as JSON. */
final class SourceReader {
    /** The name of a topic, as brokers take it. */
    private static final String TOPIC = "(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}";

    private static final int MOST_SPREAD = 100_000;

    private final Map<String, Found> found;
    private final Values values;
    private final String defaultTopic;
    private final int agentIpv6Prefix;

    SourceReader(Map<String, Found> found, Values values, String defaultTopic, int agentIpv6Prefix) {
        this.found = found;
        this.values = values;
        this.defaultTopic = defaultTopic;
        this.agentIpv6Prefix = agentIpv6Prefix;
    }

    List<SourceSettings> read() {
        Set<Integer> positions = new TreeSet<>();
        for (String key : found.keySet()) {
            Matcher source = KnownKeys.SOURCE_KEY.matcher(key);
            if (source.matches()) {
                positions.add(Integer.valueOf(source.group(1)));
            }
        }
        if (positions.isEmpty()) {
            positions.add(0);
        }
        List<SourceSettings> sources = new ArrayList<>();
        Set<String> topics = new LinkedHashSet<>();
        for (int position : positions) {
            SourceSettings source = source("sources." + position + ".");
            if (!topics.add(source.topic())) {
                values.problem("sources." + position + ".topic", source.topic(), "each topic once");
            }
            sources.add(source);
        }
        return sources;
    }

    private SourceSettings source(String at) {
        String topic = values.optional(at + "topic");
        if (topic != null && !topic.matches(TOPIC)) {
            values.problem(at + "topic", topic, "1 to 249 of a-z A-Z 0-9 . _ -");
        }
        return new SourceSettings(
                topic != null ? topic : defaultTopic,
                values.text(at + "format"),
                values.list(at + "caller"),
                values.optional(at + "service"),
                identity(values, at + "identity"),
                statuses(at + "rejected"),
                map(at + "fields."),
                map(at + "labels."),
                values.list(at + "routes"),
                values.optional(at + "spread") == null ? null : values.number(at + "spread", 1, MOST_SPREAD),
                values.optional(at + "most-per-second") == null
                        ? null
                        : values.number(at + "most-per-second", 1, 1_000_000_000),
                values.optional(at + "ipv6-prefix") == null
                        ? agentIpv6Prefix
                        : values.number(at + "ipv6-prefix", 1, 128));
    }

    private Set<Integer> statuses(String key) {
        Set<Integer> statuses = new TreeSet<>();
        for (String value : values.list(key)) {
            if (value.matches("[1-5][0-9][0-9]")) {
                statuses.add(Integer.valueOf(value));
            } else {
                values.problem(key, value, "statuses such as [429, 503]");
            }
        }
        return statuses;
    }

    private Map<String, String> map(String prefix) {
        Map<String, String> map = new TreeMap<>();
        for (String key : found.keySet()) {
            String value = key.startsWith(prefix) ? values.optional(key) : null;
            if (value != null) {
                map.put(key.substring(prefix.length()), value);
            }
        }
        return map;
    }

    static @Nullable Identity identity(Values values, String key) {
        String value = values.optional(key);
        if (value == null) {
            return null;
        }
        for (Identity identity : Identity.values()) {
            if (identity.name().toLowerCase(Locale.ROOT).equals(value)) {
                return identity;
            }
        }
        values.problem(key, value, "authenticated, network or claimed");
        return null;
    }
}

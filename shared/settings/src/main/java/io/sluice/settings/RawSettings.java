package io.sluice.settings;

import io.sluice.contract.json.Nearest;
import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file and the environment as one flat map, {@code analyzer.state-dir} to what was found. The environment wins:
 * {@code SLUICE_ANALYZER_STATE_DIR} is the same key in capitals, dots and hyphens as underscores.
 */
final class RawSettings {
    private static final String PREFIX = "SLUICE_";
    private static final Set<String> LISTS = Set.of("sources", "webhooks");
    /** Sections whose variables must be known; other SLUICE_ variables are not settings. */
    private static final Pattern SECTION =
            Pattern.compile("SLUICE_(KAFKA|TOPICS|SOURCES|ANALYZER|HTTP|AGENT|SIDECAR|WEBHOOKS)_.*");

    /** The number of an entry of a list. */
    private static final Pattern INDEX = Pattern.compile("_\\d+_");

    private static final Pattern SOURCE = Pattern.compile("SLUICE_SOURCES_([^_]*)_(.+)");
    private static final Pattern WEBHOOK = Pattern.compile("SLUICE_WEBHOOKS_(\\d{1,3})_([A-Z_]+)");
    /** Of a strategy whose name has no dash. */
    private static final Pattern QUOTA = Pattern.compile("SLUICE_AGENT_QUOTA_([A-Z0-9]{1,64})_([A-Z0-9_]{1,64})");
    /** Kubernetes sets these for a Service that happens to be called sluice-agent. */
    private static final Pattern SERVICE_LINK = Pattern.compile(".*(_SERVICE_HOST|_SERVICE_PORT.*|_PORT|_PORT_.*)");

    /** The further variables of a Service. {@code …_PORT} itself is recognized by its value, since other software uses that name for a port number. */
    private static final Pattern SERVICE_DETAIL = Pattern.compile(".*(_SERVICE_HOST|_SERVICE_PORT.*|_PORT_.*)");

    /** The value of the variable of a Service that ends with {@code _PORT}. */
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://[0-9A-Za-z.:\\[\\]-]{1,255}");

    private final Map<String, Found> found = new LinkedHashMap<>();
    private final List<String> problems;
    private final List<String> warnings;

    private RawSettings(List<String> problems, List<String> warnings) {
        this.problems = problems;
        this.warnings = warnings;
    }

    static Map<String, Found> of(
            Node file, Map<String, String> environment, List<String> problems, List<String> warnings) {
        RawSettings raw = new RawSettings(problems, warnings);
        raw.flatten("", file);
        raw.overlay(environment);
        return raw.found;
    }

    private void flatten(String key, Node node) {
        if (!key.isEmpty() && KnownKeys.knows(key)) {
            put(key, node);
        } else if (node instanceof Node.Mapping mapping) {
            mapping.entries()
                    .forEach(e -> child(
                            key.isEmpty() ? e.key() : key + "." + e.key(),
                            e.place().toString(),
                            e.value()));
        } else if (node instanceof Node.Listing listing && LISTS.contains(key)) {
            for (int i = 0; i < listing.items().size(); i++) {
                flatten(key + "." + i, listing.items().get(i));
            }
        } else if (!(node instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.NOTHING)) {
            problems.add(node.place() + ": " + (key.isEmpty() ? "the file" : key) + ": found " + node.kind()
                    + (LISTS.contains(key) ? ", a list is needed" : ", a mapping is needed"));
        }
    }

    private void child(String key, String place, Node value) {
        if (KnownKeys.knows(key) || isSection(key)) {
            flatten(key, value);
        } else {
            problems.add(place + ": " + unknown(key, KnownKeys.allNames()) + allowedBeside(first(key)));
        }
    }

    private static boolean isSection(String key) {
        String comparable = first(key) + ".";
        return KnownKeys.allNames().stream().anyMatch(name -> name.startsWith(comparable))
                || comparable.equals("sources.0.fields.")
                || comparable.equals("sources.0.labels.")
                || comparable.matches("agent\\.quota\\.[a-z0-9-]{1,64}\\.");
    }

    private static String first(String key) {
        return key.replaceAll("^(sources|webhooks)\\.\\d+", "$1.0");
    }

    private static String unknown(String name, List<String> names) {
        String nearest = Nearest.to(first(name), names);
        return "unknown key " + name + (nearest == null ? "" : " (did you mean " + nearest + "?)");
    }

    private static String allowedBeside(String key) {
        String section = key.substring(0, key.lastIndexOf('.') + 1);
        String allowed = KnownKeys.allNames().stream()
                .filter(name -> name.startsWith(section))
                .map(name -> name.substring(section.length()).replaceFirst("\\..*", ""))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        // below agent.quota each strategy has keys of its own
        return allowed.isEmpty() || section.equals("agent.quota.") ? "" : "; allowed: " + allowed;
    }

    private void put(String key, Node node) {
        List<Node> items = node instanceof Node.Listing listing ? listing.items() : List.of(node);
        if (node instanceof Node.Mapping || (node instanceof Node.Listing && !KnownKeys.list(key))) {
            problems.add(node.place() + ": " + key + ": found " + node.kind() + ", a single value is needed");
            return;
        }
        List<String> values = new ArrayList<>();
        for (Node item : items) {
            if (!(item instanceof Node.Scalar scalar)) {
                problems.add(item.place() + ": " + key + ": found " + item.kind() + ", a single value is needed");
            } else if (scalar.type() != Node.Scalar.Type.NOTHING) {
                values.add(scalar.text());
            }
        }
        found.put(key, new Found(values, node.place().toString()));
    }

    private void overlay(Map<String, String> environment) {
        Map<String, String> byVariable = new TreeMap<>();
        KnownKeys.DEFAULTS.keySet().forEach(key -> byVariable.put(variable(key), key));
        for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
            String name = entry.getKey();
            if (ofService(name, environment)) {
                if (byVariable.containsKey(name)) {
                    warnings.add(
                            name + ": " + entry.getValue() + " is ignored: it is the address of the Kubernetes Service "
                                    + service(name) + ", not a setting; enableServiceLinks: false leaves it out");
                }
                continue;
            }
            String key = byVariable.containsKey(name) ? byVariable.get(name) : sourceKey(name);
            if (key != null) {
                List<String> values = KnownKeys.list(key) ? split(entry.getValue()) : List.of(entry.getValue());
                found.put(key, new Found(values.equals(List.of("")) ? List.of() : values, name));
            } else if (name.startsWith(PREFIX) && !SERVICE_DETAIL.matcher(name).matches()) {
                unknownVariable(name, byVariable.keySet());
            }
        }
    }

    private void unknownVariable(String name, Set<String> variables) {
        if (SECTION.matcher(name).matches()) {
            problems.add(unknown(name, List.copyOf(variables)).replace("key", "variable"));
        } else {
            resembling(name)
                    .ifPresent(
                            meant -> warnings.add(name + " is ignored: it is no setting; did you mean " + meant + "?"));
        }
    }

    /** The variable that a variable of no section was most likely meant to be. The common prefix makes no two names alike. */
    private static Optional<String> resembling(String name) {
        List<String> names = KnownKeys.allNames().stream()
                .filter(key -> key.contains(".") || KnownKeys.knows(key))
                .map(key -> variable(key).substring(PREFIX.length()))
                .toList();
        String found = name.substring(PREFIX.length());
        Matcher index = INDEX.matcher(found);
        String number = index.find() ? index.group() : "_0_";
        return Optional.ofNullable(Nearest.to(index.replaceFirst("_0_"), names))
                .map(meant -> PREFIX + meant.replaceFirst("_0_", number));
    }

    /**
     * Returns whether it is one of the variables of a Service: those begin with the Service's name, and one of them,
     * {@code …_PORT}, holds an address. A Service sluice-http sets SLUICE_HTTP_PORT, which is a setting, too.
     */
    private static boolean ofService(String name, Map<String, String> environment) {
        if (!name.startsWith(PREFIX) || !SERVICE_LINK.matcher(name).matches()) {
            return false;
        }
        String port = name.replaceFirst("(_SERVICE_HOST|_SERVICE_PORT.*|_PORT|_PORT_.*)$", "_PORT");
        return SERVICE_ADDRESS.matcher(environment.getOrDefault(port, "")).matches();
    }

    private static String service(String name) {
        return name.replaceFirst("_PORT$", "").toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code SLUICE_SOURCES_0_LABELS_plan} is {@code sources.0.labels.plan}: a label's own name keeps its case. */
    private static @Nullable String sourceKey(String variable) {
        Matcher webhook = WEBHOOK.matcher(variable);
        if (webhook.matches()) {
            String key = "webhooks." + webhook.group(1) + "."
                    + webhook.group(2).toLowerCase(Locale.ROOT).replace('_', '-');
            return KnownKeys.knows(key) ? key : null;
        }
        Matcher quota = QUOTA.matcher(variable);
        if (quota.matches()) {
            return ("agent.quota." + quota.group(1) + "." + quota.group(2).replace('_', '-')).toLowerCase(Locale.ROOT);
        }
        Matcher source = SOURCE.matcher(variable);
        if (!source.matches()) {
            return null;
        }
        String entry = "sources." + source.group(1) + ".";
        String key = entry + source.group(2).toLowerCase(Locale.ROOT).replace('_', '-');
        if (KnownKeys.knows(key)) {
            return key;
        }
        String[] named = source.group(2).split("_", 2);
        String value = entry + named[0].toLowerCase(Locale.ROOT) + (named.length > 1 ? "." + named[1] : "");
        return KnownKeys.knows(value) ? value : null;
    }

    private static List<String> split(String commas) {
        return Arrays.stream(commas.split(",")).map(String::strip).toList();
    }

    static String variable(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}

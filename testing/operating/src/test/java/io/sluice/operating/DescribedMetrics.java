package io.sluice.operating;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Metrics of ours as a page of the docs describes them: the words about the labels of each.
 *
 * @param labels by name, what is quoted in the column of the labels: their names and, for some, all of their values
 */
record DescribedMetrics(Map<String, Set<String>> labels) {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `sluice_.*$");
    private static final Pattern NAME = Pattern.compile("`(sluice_[a-z_]+)`");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern WORD = Pattern.compile("[A-Za-z-]+");
    private static final Pattern SERIES = Pattern.compile("(?m)^(sluice_[a-z_]+)(?:\\{(.*)})? ");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Reads the rows between two texts of a page. */
    static DescribedMetrics between(Path page, String from, String to) throws Exception {
        String text = Files.readString(page);
        int start = text.indexOf(from);
        int end = text.indexOf(to, start);
        Map<String, Set<String>> labels = new TreeMap<>();
        for (MatchResult row : ROW.matcher(text.substring(start, end)).results().toList()) {
            // nothing stands before the first bar and behind the last one
            String[] cells = row.group().split("\\s*(?<!\\\\)\\|\\s*", -1);
            Set<String> words = cells.length == 5 ? words(cells[2]) : Set.of();
            NAME.matcher(cells[1]).results().forEach(name -> labels.put(name.group(1), words));
        }
        return new DescribedMetrics(labels);
    }

    private static Set<String> words(String cell) {
        return QUOTED.matcher(cell)
                .results()
                .flatMap(quoted -> WORD.matcher(quoted.group(1)).results())
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    DescribedMetrics and(DescribedMetrics others) {
        Map<String, Set<String>> all = new TreeMap<>(labels);
        all.putAll(others.labels);
        return new DescribedMetrics(all);
    }

    /** Returns those whose name matches. */
    DescribedMetrics only(String regex) {
        return new DescribedMetrics(labels.entrySet().stream()
                .filter(metric -> metric.getKey().matches(regex))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /**
     * Compares them with a page for Prometheus, in both directions.
     *
     * @param everywhere labels that all of them have, which the rows do not repeat
     */
    List<String> differences(String scraped, String... everywhere) {
        Map<String, Map<String, Set<String>>> exposed = exposed(scraped);
        List<String> differences = new ArrayList<>();
        labels.keySet().stream()
                .filter(name -> !exposed.containsKey(name))
                .forEach(name -> differences.add(name + " is described and not exposed"));
        exposed.forEach((name, found) -> {
            List.of(everywhere).forEach(found::remove);
            Set<String> words = labels.get(name);
            differences.addAll(
                    words == null
                            ? List.of(name + " is exposed and not described")
                            : differences(name, new TreeSet<>(words), found));
        });
        return differences;
    }

    /** A label has either all of its values described, or none. */
    private static List<String> differences(String name, Set<String> words, Map<String, Set<String>> found) {
        List<String> differences = new ArrayList<>();
        found.forEach((label, values) -> {
            if (!words.remove(label)) {
                differences.add(name + ": its label " + label + " is not described");
            }
            if (values.stream().anyMatch(words::contains) && !words.containsAll(values)) {
                differences.add(name + ": of " + label + " " + values + " some are not described");
            }
        });
        found.values().forEach(words::removeAll);
        if (!words.isEmpty()) {
            differences.add(name + ": " + words + " is described, no label or value of it");
        }
        return differences;
    }

    /** Returns the values of each label of each metric. */
    private static Map<String, Map<String, Set<String>>> exposed(String scraped) {
        Map<String, Map<String, Set<String>>> exposed = new TreeMap<>();
        Set<String> histograms = Pattern.compile("(?m)^# TYPE (sluice_\\S+) histogram$")
                .matcher(scraped)
                .results()
                .map(type -> type.group(1))
                .collect(Collectors.toSet());
        for (MatchResult series : SERIES.matcher(scraped).results().toList()) {
            String base = series.group(1).replaceFirst("_(bucket|count|sum|max)$", "");
            String name = histograms.contains(base) ? base : series.group(1);
            Map<String, Set<String>> labels = exposed.computeIfAbsent(name, unused -> new TreeMap<>());
            if (series.group(2) != null) {
                LABEL.matcher(series.group(2))
                        .results()
                        .filter(label -> !label.group(1).equals("le"))
                        .forEach(label -> labels.computeIfAbsent(label.group(1), unused -> new TreeSet<>())
                                .add(label.group(2)));
            }
        }
        return exposed;
    }
}

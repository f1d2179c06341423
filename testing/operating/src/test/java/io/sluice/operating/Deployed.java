package io.sluice.operating;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files in {@code deploy/} and {@code docs/} that this build would ship. */
final class Deployed {
    static final Path ALERTS = root().resolve("deploy/prometheus/alerts.yml");
    static final Path ALERTS_TEST = root().resolve("deploy/prometheus/alerts_test.yml");
    static final Path RUNBOOKS = root().resolve("docs/runbooks");
    private static final Path OPERATIONS = root().resolve("docs/operations.md");
    private static final Path DASHBOARD = root().resolve("deploy/grafana/sluice.json");

    private static final Pattern GROUPED = Pattern.compile("by \\(([a-z_, ]+)\\) \\([^)]*?(sluice_[a-z_]+)");

    private Deployed() {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("deploy"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    static JsonNode dashboard() throws Exception {
        return new ObjectMapper().readTree(Files.readAllBytes(DASHBOARD));
    }

    /** The page that describes each metric. */
    static String metrics() throws Exception {
        return Files.readString(OPERATIONS);
    }

    static DescribedMetrics metricsOfAnalyzers() throws Exception {
        return DescribedMetrics.between(OPERATIONS, "Metrics of the analyzer:", "Metrics of an agent");
    }

    /** Those of sidecars included. */
    static DescribedMetrics metricsOfAgents() throws Exception {
        return DescribedMetrics.between(OPERATIONS, "Metrics of an agent", "**Traces.**");
    }

    static DescribedMetrics metricsOfTokenServers() throws Exception {
        return DescribedMetrics.between(
                root().resolve("docs/integration/token-server.md"), "## Metrics", "\n## Routers");
    }

    /** Metrics of ours among those that were scraped that neither the dashboard nor an alert has. */
    static List<String> notShown(String scraped) throws Exception {
        String shown = String.join("\n", dashboard().findValuesAsText("expr")) + Files.readString(ALERTS);
        return scraped.lines()
                .filter(line -> line.startsWith("# TYPE sluice_"))
                .map(line -> line.split(" ", -1)[2])
                // Micrometer adds it to each histogram
                .filter(name -> !name.endsWith("_max"))
                .filter(name -> !Pattern.compile("\\b" + name + "(_bucket)?\\b")
                        .matcher(shown)
                        .find())
                .distinct()
                .toList();
    }

    /** Labels that the dashboard groups metrics of ours by, and that no scraped series of them has. */
    static List<String> labelsMissing(String scraped) throws Exception {
        return dashboard().findValuesAsText("expr").stream()
                .flatMap(query -> GROUPED.matcher(query).results())
                .flatMap(found -> Stream.of(found.group(1).split(", *", -1))
                        .filter(label -> !label.equals("le"))
                        .filter(label -> scraped.lines().anyMatch(line -> line.startsWith(found.group(2) + "{"))
                                && scraped.lines()
                                        .noneMatch(line ->
                                                line.startsWith(found.group(2) + "{") && line.contains(label + "=\"")))
                        .map(label -> found.group(2) + " by " + label))
                .toList();
    }

    /** What the dashboard asks with everything selected, over a short time in which some scrapes may fail. */
    static List<String> dashboardQueries() throws Exception {
        return dashboard().findValuesAsText("expr").stream()
                .map(query -> query.replace("$__rate_interval", "2m")
                        .replace("$service", ".*")
                        .replace("$policy", ".*"))
                .toList();
    }
}

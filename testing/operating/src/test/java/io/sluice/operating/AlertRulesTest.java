package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alerts and the dashboard, as files. */
@Tag("server")
class AlertRulesTest {
    @BeforeAll
    static void prometheusIsThere() {
        Prometheus.needed();
    }

    private static List<String> alerts() throws Exception {
        Matcher names = Pattern.compile("- alert: (\\w+)").matcher(Files.readString(Deployed.ALERTS));
        return names.results().map(found -> found.group(1)).toList();
    }

    @Test
    void eachAlertFiresWhereItMustAndStaysQuietWhereItMustNot() throws Exception {
        Process promtool = new ProcessBuilder("promtool", "test", "rules", Deployed.ALERTS_TEST.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(promtool.waitFor()).as(said).isZero();
        String tests = Files.readString(Deployed.ALERTS_TEST);
        assertThat(alerts())
                .hasSizeGreaterThan(5)
                .allSatisfy(alert ->
                        assertThat(tests).contains("name: " + alert + " fires", "name: " + alert + " stays quiet"));
    }

    @Test
    void eachAlertHasItsRunbook() throws Exception {
        String rules = Files.readString(Deployed.ALERTS);

        assertThat(alerts()).allSatisfy(alert -> {
            assertThat(rules).contains("docs/runbooks/" + alert + ".md");
            assertThat(Files.readString(Deployed.RUNBOOKS.resolve(alert + ".md")))
                    .startsWith("# " + alert + "\n")
                    .contains("## What it means", "## What to look at", "## What to do");
        });
    }

    @Test
    void theDashboardLeavesTheChoiceOfItsDataSource() throws Exception {
        JsonNode dashboard = Deployed.dashboard();

        assertThat(dashboard.path("__inputs").path(0).path("name").asText()).isEqualTo("DS_PROMETHEUS");
        assertThat(dashboard.path("__requires")).isNotEmpty();
        assertThat(dashboard.path("uid").asText()).isEqualTo("sluice-overview");
        assertThat(dashboard.findValues("datasource"))
                .isNotEmpty()
                .allSatisfy(source -> assertThat(source.path("uid").asText()).isEqualTo("${DS_PROMETHEUS}"));
    }
}

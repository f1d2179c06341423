package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The metrics of the Grafana dashboard beside those of the docs. Queries are evaluated by the monitoring tests, which have no central store. */
@Tag("server")
class ShownMetricsTest {
    private static final Pattern NAME = Pattern.compile("\\bsluice_(?:gate_quota|sidecar)_[a-z_]+");

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher found = NAME.matcher(text);
        while (found.find()) {
            names.add(found.group());
        }
        return names;
    }

    @Test
    void metricsOfStoresAndSidecars_inTheDocs_areInTheDashboard() throws Exception {
        Set<String> documented = names(Deployed.metrics());

        assertThat(documented).hasSizeGreaterThan(6);
        assertThat(names(String.join("\n", Deployed.dashboard().findValuesAsText("expr"))))
                .isEqualTo(documented);
    }
}

package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.RequestEvent;
import io.sluice.settings.SourceSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainedLineTest {
    private static final long NOW = 1_763_700_000_000L;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | counts the status 200 for acme",
                "0 | no: it has no status, of which different values are counted"
            })
    void print_statusesAreCounted_namesTheStatus(int status, String expected) throws Exception {
        SourceSettings source =
                new SourceSettings("web", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        RequestEvent event = LogFormats.of(source)
                .read(("{\"time\":" + NOW + ",\"caller\":\"acme\",\"identity\":\"authenticated\",\"status\":" + status
                                + "}")
                        .getBytes(StandardCharsets.UTF_8));
        StringWriter printed = new StringWriter();

        new ExplainedLine(source, event, NOW, TestPolicies.yaml("""
                        policies:
                          - { name: statuses, per: [caller], measure: { distinct: status }, lock: { when: [{ above: 3 }] } }
                        """)).print(new PrintWriter(printed, true), NOW);

        assertThat(printed.toString()).contains(expected);
    }
}

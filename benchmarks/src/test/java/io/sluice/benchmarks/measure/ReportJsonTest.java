package io.sluice.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReportJsonTest {

    @Test
    void aReportHasMachineDateResultsRatiosAndGoals() throws Exception {
        // given
        Report report = new Report("gate", Scale.FULL);
        report.add(new Series("ours", "ns/op", 90, 110));
        report.ratio("ours/guava", 0.45, Goal.atMost(0.5, 0.8));

        // when
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ReportJson.write(report, Instant.parse("2026-11-21T15:00:00Z"), out);

        // then
        assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s", ""))
                .contains("\"benchmark\":\"gate\"", "\"machine\":\"", "\"date\":\"2026-11-21T15:00:00Z\"")
                .contains(
                        "\"results\":[{\"name\":\"ours\",\"unit\":\"ns/op\",\"median\":100.0,\"least\":90.0,\"most\":110.0,"
                                + "\"samples\":[90.0,110.0]}]")
                .contains("\"ratios\":{\"ours/guava\":0.45}")
                .contains("\"goals\":{\"ours/guava\":{\"atMost\":0.5,\"guard\":0.8,\"met\":true}}");
    }
}

package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.api.Tree;
import io.sluice.analyzer.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TopTextTest {

    @Test
    void print_exactCounts_headingNamesTheWindow() throws Exception {
        assertThat(printed(callers(0.0) + claimed(200, 0)))
                .startsWith("Per minute, as a moving average over about the last minute\nCALLER  BY      REQ/MIN");
    }

    @Test
    void print_replacedCallers_headingSaysLowerBounds() throws Exception {
        assertThat(printed(callers(3.5) + claimed(200, 0)))
                .startsWith("Per minute, as a moving average over about the last minute; lower bounds, as there are");
    }

    @Test
    void print_claimedCallers_firstLineNamesShareAndSetting() throws Exception {
        assertThat(printed("\"callers\":[]" + claimed(400, 400)))
                .startsWith(
                        "! 100 % of the newest requests have a claimed caller: policies that count by caller neither"
                                + " count nor lock for them. If the caller is verified, set agent.identity: authenticated")
                .contains("sluice.agent.identity")
                .endsWith("no caller was counted in the last minutes" + System.lineSeparator());
    }

    @Test
    void print_instanceThatIsBehind_isNamedFirst() throws Exception {
        assertThat(printed(callers(0.0) + ",\"behind\":[{\"what\":\"two\",\"why\":\"reads requests of 20 min ago\"}]"
                        + claimed(200, 0)))
                .startsWith("! two is behind: reads requests of 20 min ago");
    }

    @Test
    void print_noCaller_isSaidWithTheReason() throws Exception {
        assertThat(printed("\"callers\":[]" + claimed(400, 0)))
                .startsWith("no caller was counted in the last minutes: no locking policy matches");
    }

    @Test
    void print_fewClaimedCallers_isNeverZeroPercent() throws Exception {
        assertThat(printed("\"callers\":[]" + claimed(100_000, 150))).startsWith("! 1 % of the newest requests");
    }

    private static String callers(double error) {
        return "\"callers\":[{\"per\":[\"caller\"],\"subject\":[\"acme\"],\"requests\":190.2,\"admitted\":190.2,\"rejected\":0.0,"
                + "\"share\":0.9,\"policies\":[{\"policy\":\"noisy\",\"measure\":\"requests\",\"offered\":190.2,\"error\":"
                + error + "}],\"locks\":[]}]";
    }

    private static String claimed(int requests, int claimed) {
        return ",\"claimed\":{\"requests\":" + requests + ",\"claimed\":" + claimed + ",\"share\":"
                + (double) claimed / requests + "}";
    }

    private static String printed(String answer) throws Exception {
        StringWriter out = new StringWriter();
        TopText.print(
                Tree.of(("{" + answer + ",\"missing\":[]}").getBytes(StandardCharsets.UTF_8)),
                new Terminal(false, false),
                new PrintWriter(out));
        return out.toString();
    }
}

package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyChangesTextTest {
    private static final String NOISY = "per: [caller], window: 1m, lock: { when: [{ above: 100 }] }";

    private static String printed(String before, String after) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        PolicyChangesText.print(
                "next.yml",
                TestPolicies.yaml("policies:\n  - { name: p, " + before + " }\n"),
                TestPolicies.yaml("policies:\n  - { name: p, " + after + " }\n"),
                out);
        out.flush();
        return text.toString();
    }

    /** Their demand is counted under the former window alone, so it is unknown from then on. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "per: [caller], window: 2m, lock: { when: [{ above: 100 }] }",
                "per: [caller], window: 1m, panes: 30, lock: { when: [{ above: 100 }] }",
                "per: [caller], window: 1m, measure: bytes, lock: { when: [{ above: 100 }] }",
                "per: [caller], window: 1m, match: { route: /a }, lock: { when: [{ above: 100 }] }",
            })
    void print_policyThatCountsSomethingElse_namesWhatBecomesOfItsLocks(String after) {
        assertThat(printed(NOISY, after))
                .contains("changed  p: counts something else, its windows begin anew;"
                        + " locks in force last until their end\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // its locks are released
                "per: [service], window: 1m, lock: { when: [{ above: 100 }] } | changed  p: counts something else, its windows begin anew",
                "per: [caller], window: 2m, limit: { rate: 1/s } | changed  p: counts something else, its windows begin anew",
                "per: [caller], window: 1m, lock: { when: [{ above: 200 }] } | changed  p",
            })
    void print_policyWhoseLocksDoNotLast_namesNone(String after, String line) {
        assertThat(printed(NOISY, after).lines()).contains(line);
    }
}

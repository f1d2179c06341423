package io.sluice.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.demo.stage.Locks;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.traffic.Tally;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The demo's report, byte for byte. */
class ReportTest {
    @Test
    void of_lockedAndReleased() throws Exception {
        assertReport(Outcomes.good(), "good");
    }

    @Test
    void of_withoutReactionsAndEvidence() throws Exception {
        Outcome outcome = Outcomes.of(
                List.of(new SeenLock(Locks.open("acme", 12_200), 27_200, 0)), List.of(), new Tally(0, 0, 0, 0));
        assertReport(
                new Outcome(
                        outcome.noisyCaller(),
                        20,
                        2000,
                        11_000,
                        0,
                        outcome.noisy(),
                        outcome.neighbours(),
                        outcome.agents(),
                        outcome.locks(),
                        outcome.reactions(),
                        Delays.UNKNOWN),
                "quiet");
    }

    private static void assertReport(Outcome outcome, String name) throws Exception {
        try (InputStream json = ReportTest.class.getResourceAsStream("/demo-report/" + name + ".json")) {
            assertThat(new String(Report.of(outcome), StandardCharsets.UTF_8))
                    .isEqualTo(new String(Objects.requireNonNull(json).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}

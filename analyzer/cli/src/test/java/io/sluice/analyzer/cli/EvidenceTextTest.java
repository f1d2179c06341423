package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.recount.Verdict;
import io.sluice.analyzer.recount.Verdict.Believed;
import io.sluice.contract.lock.Evidence;
import org.junit.jupiter.api.Test;

class EvidenceTextTest {

    private static Evidence evidence(String detector, double observed, double threshold, String measure) {
        return new Evidence(
                detector, observed, threshold, measure, 60_000, 12_345, 19_911, 1_000_000, 1_000_070, "p@0");
    }

    @Test
    void aSumIsToldWithWhatIsAllowed() {
        Evidence evidence = evidence("above", 12_345, 12_000, "requests");

        assertThat(EvidenceText.seen(evidence)).isEqualTo("12,345 requests in 1m, allowed 12,000");
        assertThat(EvidenceText.of(new Verdict(true, 12_391, 12_391, 0, 0, true, Believed.NOTHING, 0), evidence))
                .isEqualTo("holds: exactly 12,391 requests in the minute before, counted 12,345, allowed 12,000");
        assertThat(EvidenceText.of(new Verdict(false, 11_000, 11_000, 0, 1_345, true, Believed.NOTHING, 0), evidence))
                .isEqualTo(
                        "does not hold: exactly 11,000 requests in the minute before, counted 12,345, allowed 12,000;"
                                + " 1,345 more were counted than there are, as may happen once after an unclean end");
    }

    @Test
    void whatIsLeftOfALogIsTheLeastThereWas() {
        Evidence evidence = evidence("above", 12_345, 12_000, "requests");

        assertThat(EvidenceText.of(new Verdict(true, 12_100, 12_100, 0, 0, false, Believed.NOTHING, 0), evidence))
                .isEqualTo("holds: at least 12,100 requests in the minute before, counted 12,345, allowed 12,000;"
                        + " some of the request log is gone");
    }

    @Test
    void differentValuesAndServiceTimeAreNamed() {
        assertThat(EvidenceText.seen(evidence("above", 12_345, 12_000, "distinct caller")))
                .isEqualTo("12,345 different values of caller in 1m, allowed 12,000");
        assertThat(EvidenceText.seen(evidence("above", 12_345, 12_000, "millis")))
                .isEqualTo("12,345 ms of service time in 1m, allowed 12,000");
    }

    @Test
    void aShareIsToldAsAPartOfTheLoad() {
        Evidence evidence = evidence("share", 0.62, 0.4, "requests");

        assertThat(EvidenceText.seen(evidence)).isEqualTo("62 % of 19,911 requests in 1m, allowed 40 %");
        assertThat(EvidenceText.of(new Verdict(true, 0.6212, 12_400, 19_961, 0, true, Believed.SLOWNESS, 0), evidence))
                .isEqualTo("holds: exactly 62.1 % of 19,961 requests in the minute before, counted 62 % of 19,911,"
                        + " allowed 40 %; that the others were slower than usual is taken from the evidence");
    }

    @Test
    void aSpikeIsToldAsAMultipleOfItsBaseline() {
        Evidence evidence = evidence("spike", 5.5, 5, "requests");

        assertThat(EvidenceText.seen(evidence))
                .isEqualTo("12,345 requests in 1m, 5.5 times its baseline, allowed 5 times");
        assertThat(EvidenceText.of(new Verdict(true, 5.6, 12_500, 0, 0, true, Believed.BASELINE, 0), evidence))
                .isEqualTo("holds: exactly 12,500 requests in the minute before, 5.6 times the baseline,"
                        + " counted 12,345, allowed 5 times; the baseline is taken from the evidence");
    }

    @Test
    void aDebtTellsFromWhenItWasRecounted() {
        Evidence evidence = evidence("debt", 150.25, 60, "requests");

        assertThat(EvidenceText.seen(evidence)).isEqualTo("a debt of 150.3 requests, allowed 60");
        assertThat(EvidenceText.of(
                        new Verdict(true, 151, 0, 0, 0, true, Believed.NOTHING, 1_763_700_000_000L), evidence))
                .isEqualTo("holds: a debt of exactly 151 requests, counted 150.3, allowed 60;"
                        + " recounted from 2025-11-21 04:40:00.000 UTC on, as if there had been none then");
    }
}

package io.sluice.analyzer.exact;

import static io.sluice.analyzer.exact.Asked.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactDebtTest {
    private static final long T = 1_763_700_000_000L;

    /** Drains five a second. */
    private static Asked debt() {
        return Asked.lock("", "'when':[{'above':50}],'for':'debt'");
    }

    @ParameterizedTest
    @CsvSource({"49, false", "50, false", "51, true"})
    void overIsALevelAboveTheThreshold(int requests, boolean over) {
        Asked asked = debt().add(requests, at(T, "acme"));

        assertThat(asked.of("acme").detector()).isEqualTo("debt");
        assertThat(asked.of("acme").observed()).isEqualTo(requests);
        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"199, true", "200, false", "201, false"})
    void timePaysAThresholdInAWindow(long later, boolean over) {
        Asked asked = debt().add(50, at(T, "acme")).add(at(T + later, "acme"));

        assertThat(asked.of("acme").observed()).isCloseTo(51 - later / 200.0, within(1e-9));
        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @Test
    void nobodySavesUp() {
        Asked asked = debt().add(at(T, "acme")).add(50, at(T + 3_600_000, "acme"));

        assertThat(asked.of("acme").observed()).isEqualTo(50);
    }

    @Test
    void whatIsOlderThanAWindowMayStillBeOwed() {
        Asked asked = debt().add(at(T, "acme").count(200)).add(at(T + 11_000, "bob"));

        assertThat(asked.of("acme").observed()).isCloseTo(145, within(1e-9));
        assertThat(asked.of("acme").sum()).isZero();
    }

    @Test
    void rejectionsCostNothing() {
        Asked asked = debt().add(50, at(T, "acme")).add(at(T, "acme").rejected().count(1000));

        assertThat(asked.of("acme").observed()).isEqualTo(50);
    }
}

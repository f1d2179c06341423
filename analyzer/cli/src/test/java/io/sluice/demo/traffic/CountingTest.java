package io.sluice.demo.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class CountingTest {

    @Test
    void theLedgerTellsRejectionsFromFailures() {
        Ledger ledger = new Ledger();
        for (int status : new int[] {200, 404, 429, 499, 500, 503, Answers.NONE, Answers.TIMED_OUT}) {
            ledger.answered("acme", status, 0, 0);
        }

        assertThat(ledger.of("acme")).isEqualTo(new Tally(8, 1, 1, 3));
        assertThat(ledger.of("acme").admitted()).isEqualTo(7);
    }

    @Test
    void aTimeoutIsToldFromALostConnection() {
        HttpTimeoutException late = new HttpTimeoutException("request timed out");

        assertThat(Traffic.unanswered(late)).isEqualTo(Answers.TIMED_OUT);
        assertThat(Traffic.unanswered(new CompletionException(late))).isEqualTo(Answers.TIMED_OUT);
        assertThat(Traffic.unanswered(new CompletionException(new ConnectException())))
                .isEqualTo(Answers.NONE);
    }

    @Test
    void theOthersAreAllButOne() {
        Ledger ledger = new Ledger();
        ledger.answered("acme", 429, 0, 0);
        ledger.answered("amber", 200, 0, 0);
        ledger.answered("birch", 429, 0, 0);

        assertThat(ledger.others("acme")).isEqualTo(new Tally(2, 1, 0, 0));
        assertThat(ledger.of("nobody")).isEqualTo(Tally.NOTHING);
    }

    @Test
    void ratesAreTakenOverTheLastSecond() {
        Rates rates = new Rates();
        rates.at(0, Map.of("acme", new Tally(1000, 0, 0, 0)));
        rates.at(1000, Map.of("acme", new Tally(1000, 0, 0, 0)));

        Rates.Rate rate =
                rates.at(2000, Map.of("acme", new Tally(1300, 250, 0, 0))).get("acme");

        assertThat(rate).isNotNull();
        assertThat(rate.admitted()).isCloseTo(50, within(1e-9));
        assertThat(rate.rejected()).isCloseTo(250, within(1e-9));
    }

    @Test
    void aCallerThatIsNewHasARateToo() {
        Rates rates = new Rates();
        rates.at(0, Map.of());

        assertThat(rates.at(500, Map.of("acme", new Tally(10, 0, 0, 0))).get("acme"))
                .isEqualTo(new Rates.Rate(20, 0));
    }

    @Test
    void percentilesAreOfTheAskedCallersAndTimes() {
        Latencies latencies = new Latencies(caller -> !caller.equals("acme"));
        for (int i = 1; i <= 100; i++) {
            latencies.answered("amber", 200, i, i * 1000L);
            latencies.answered("acme", 200, i, 1_000_000);
        }

        assertThat(latencies.percentile(0.99, 0, 1000)).isEqualTo(99);
        assertThat(latencies.percentile(0.5, 0, 1000)).isEqualTo(50);
        assertThat(latencies.percentile(1, 10, 20)).isEqualTo(19);
        assertThat(latencies.percentile(0, 10, 20)).isEqualTo(10);
        assertThat(latencies.percentile(0.99, 200, 300)).isNaN();
    }

    @Test
    void theNoisyOneComesAndGoes() {
        Demand demand = Demand.comingAndGoing(15_000, 20_000, 500, 4);

        assertThat(demand.perSecond(14_999)).isEqualTo(4);
        assertThat(demand.perSecond(15_000)).isEqualTo(500);
        assertThat(demand.perSecond(34_999)).isEqualTo(500);
        assertThat(demand.perSecond(35_000)).isEqualTo(4);
    }

    @Test
    void thereAreTwentyNeighboursOfDifferentNames() {
        assertThat(Caller.neighbours().stream().map(Caller::name).distinct())
                .hasSize(20)
                .doesNotContain(Caller.NOISY);
    }
}

package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.lock.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What verdicts say of a quota, for clients to plan by. */
final class QuotaToldTest {
    private static final String PLANS =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/s\",\"burst\":3}}";
    private static final String HOURLY =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}";
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";

    private final GateHarness gates = new GateHarness().policies(PLANS, NOISY).fresh();

    @Test
    void whoHasSomethingLeftIsToldWhenTheLimitIsWholeAndWhoHasNothingWhenTheNextPermitComes() {
        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 3, 3_000_000_000L, 2, 1));
        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 3, 3_000_000_000L, 1, 2));
        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 3, 3_000_000_000L, 0, 1));
        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 3, 3_000_000_000L, 0, 1));
    }

    /** The limiter rounds the interval between permits up to whole nanoseconds. A client is told the window of the exact rate. */
    @ParameterizedTest
    @CsvSource({"60/s, 60, 1000000000", "7/s, 7, 1000000000", "600/m, 10, 1000000000", "3/s, 2, 666666667"})
    void window_isThatOfTheRate(String rate, long burst, long nanos) {
        gates.policies("{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"" + rate + "\",\"burst\":"
                + burst + "}}");

        assertThat(gates.check("acme").quota()).extracting(Quota::windowNanos).isEqualTo(nanos);
    }

    @Test
    void lastPermitOfAWindow_tellsWhenTheWindowEnds() {
        gates.policies(
                "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"fixed-window\",\"rate\":\"1/h\"}}");
        gates.check("acme");
        long next = gates.check("acme") instanceof Verdict.Rejected rejected ? rejected.retryAfterMillis() : 0;
        gates.forward((int) next + 3_540_000);

        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 1, 3_600_000_000_000L, 0, 60));
    }

    @Test
    void permitsLeftOfAWindow_tellWhenTheWindowEnds() {
        gates.policies(
                "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"fixed-window\",\"rate\":\"10/h\"}}");
        gates.forward(3_540_000 - gates.now() / 1_000_000);
        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 10, 3_600_000_000_000L, 9, 60));
        gates.forward(20_000);

        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 10, 3_600_000_000_000L, 8, 40));
        assertThat(gates.check("bolt").quota()).isEqualTo(new Quota("plans", 10, 3_600_000_000_000L, 9, 40));
    }

    @Test
    void lastPermit_tellsWhenTheNextOneComes() {
        gates.policies(HOURLY.replace("\"burst\":1", "\"burst\":2"));
        gates.check("acme");
        gates.forward(3_540_000);

        assertThat(gates.check("acme").quota())
                .extracting(Quota::remaining, Quota::resetSeconds)
                .containsExactly(0L, 60L);
    }

    @Test
    void lastPermitOfALog_tellsWhenTheOldestLeaves() {
        gates.policies(
                "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"sliding-log\",\"rate\":\"2/h\"}}");
        gates.check("acme");
        gates.forward(3_540_000);

        assertThat(gates.check("acme").quota())
                .extracting(Quota::remaining, Quota::resetSeconds)
                .containsExactly(0L, 60L);
    }

    /** Rejections are kept by their milliseconds; 1,024 later the same place is another's. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1023, 1024, 1025, 2048})
    void whoIsTurnedAwayIsToldHowLongToWaitFromNow(int later) {
        gates.policies(HOURLY);
        gates.check("acme");
        assertWaits(3_600_000);
        gates.forward(later);
        assertWaits(3_600_000 - later);
        gates.forward(3_600_000 - later - 1);
        assertWaits(1);
    }

    private void assertWaits(long millis) {
        Quota quota = new Quota("plans", 1, 3_600_000_000_000L, 0, (millis + 999) / 1000);
        assertThat(gates.check("acme")).isEqualTo(new Verdict.Rejected(Verdict.Reason.LIMITED, "plans", millis, quota));
    }

    @Test
    void whatAPolicyTurnedAwayStaysCountedWhenThePolicyIsGone() {
        gates.policies(HOURLY);
        gates.check("acme");
        gates.check("acme");
        gates.policies(NOISY);
        assertThat(gates.decisions.counts().limited()).containsEntry("plans", 1L);
        gates.policies(HOURLY);
        gates.check("acme");
        gates.check("acme");
        assertThat(gates.decisions.counts().rejections(false)).contains(entry("plans", 2L));
    }

    @Test
    void sheddingIsToldApartFromALockAndIsLoggedAsOne() {
        gates.lock("noisy", "acme", Mode.SHED);
        assertThat(gates.check("acme")).isInstanceOfSatisfying(Verdict.Rejected.class, rejected -> {
            assertThat(rejected.reason()).isEqualTo(Verdict.Reason.SHED);
            assertThat(rejected.outcome()).isEqualTo(Outcome.LOCKED);
        });
    }

    @ParameterizedTest
    @EnumSource(Verdict.Reason.class)
    void onlyALimitIsLoggedAsALimit(Verdict.Reason reason) {
        Outcome outcome = reason.byLimit() ? Outcome.LIMITED : Outcome.LOCKED;
        assertThat(new Verdict.Rejected(reason, "p", 1, null).outcome()).isEqualTo(outcome);
    }
}

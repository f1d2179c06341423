package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits on requests in flight: who holds permits, and when they come back. */
final class InFlightLimitsTest {
    private static String limit(String name, String rest) {
        return ("{'name':'" + name + "','per':['caller'],'limit':{'algorithm':'concurrency'," + rest + "}}")
                .replace('\'', '"');
    }

    private final GateHarness gates = new GateHarness().fresh();

    @Test
    void closingAVerdictReturnsItsPermit() {
        gates.policies(limit("few", "'max':1"));
        Verdict verdict = gates.check("acme");
        assertThat(gates.allows("acme")).isFalse();
        verdict.close();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void closingItTwiceReturnsNothingMore() {
        gates.policies(limit("few", "'max':2"));
        Verdict first = gates.check("acme");
        gates.check("acme");
        first.close();
        first.close(Completion.OVERLOADED);
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void closingARejectionReturnsNothing() {
        gates.policies(limit("few", "'max':1"));
        gates.check("acme");
        gates.check("acme").close();
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void aRequestUnderSeveralLimitsReturnsAllItsPermits() {
        gates.policies(limit("few", "'max':1"), limit("shadow", "'max':1,'shadow':true"), limit("many", "'max':3"));
        for (int i = 0; i < 5; i++) {
            gates.check("acme").close();
        }
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("shadow", 0L);
    }

    @Test
    void aRejectionByALaterLimitHoldsNoPermit() {
        gates.policies(limit("wide", "'max':2"), limit("tight", "'max':1"));
        Verdict first = gates.check("acme");
        assertThat(gates.asked("acme")).isEqualTo("LIMITED by tight");
        first.close();
        gates.policies(limit("wide", "'max':2"));
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aQuotaCountsWhatIsInFlight() {
        gates.policies(limit("few", "'max':3"));
        assertThat(gates.check("acme").quota()).isEqualTo(Quota.inFlight("few", 3, 2));
    }

    @Test
    void aSmallerLimitHoldsAtOnceForWhatIsStillInFlight() {
        gates.policies(limit("few", "'max':3"));
        Verdict first = gates.check("acme");
        Verdict second = gates.check("acme");
        gates.policies(limit("few", "'max':1"));
        first.close();
        assertThat(gates.allows("acme")).isFalse();
        second.close();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aGateWithARequestInFlightIsNeverForgotten() {
        gates.policies(limit("few", "'max':1"));
        Verdict verdict = gates.check("acme");
        gates.forward(86_400_000);
        gates.decisions.sweep(gates.now());
        assertThat(gates.allows("acme")).isFalse();
        verdict.close();
        gates.decisions.sweep(gates.now());
        assertThat(gates.decisions.gates()).isZero();
    }

    @Test
    void whoIsPromotedStaysOnTheSharedLimiterUntilThatIsIdle() {
        GateHarness small = new GateHarness(true, 1).fresh().policies(limit("few", "'max':2"));
        Verdict known = small.check("known");
        Verdict ofX = small.check("x");
        Verdict ofY = small.check("y");
        known.close();
        small.decisions.sweep(small.now());

        // there is room for x now, but one of its requests may be in flight already
        assertThat(small.allows("x")).isFalse();
        ofY.close();
        Verdict second = small.check("x");
        assertThat(second.allowed()).isTrue();
        assertThat(small.allows("x")).isFalse();

        ofX.close();
        second.close();
        assertThat(small.allows("x")).isTrue();
        assertThat(small.allows("x")).isTrue();
        // and these are its own
        assertThat(small.allows("y")).isTrue();
    }

    @Test
    void whoIsPromotedByAnotherThreadMeanwhileHoldsNoPermitOfTheSharedLimiter() {
        Race race = new Race(1);
        GateHarness small = new GateHarness(true, 1, race).fresh().policies(limit("few", "'max':2"));
        Verdict known = small.check("known");
        race.otherThread(() -> {
            known.close();
            small.decisions.sweep(small.now());
            assertThat(small.allows("x")).isTrue();
            assertThat(small.allows("x")).isTrue();
        });
        // it found no room, but both permits of its own limiter are out now
        assertThat(small.allows("x")).isFalse();
        // and the shared limiter has its permits back: y can have both
        assertThat(small.allows("y")).isTrue();
        assertThat(small.allows("y")).isTrue();
    }

    @Test
    void anAdaptiveLimitGrowsWithWhatEndsWellAndFallsAtASignOfOverload() {
        gates.policies(limit("some", "'adaptive':{'min':2,'max':10}"));
        for (int round = 0; round < 20; round++) {
            end(taken(), Completion.SUCCESS);
        }
        int grown = taken().size();
        assertThat(grown).isBetween(5, 10);
        end(all, Completion.OVERLOADED);
        assertThat(taken()).hasSizeLessThan(grown);
    }

    @Test
    void anAnswerThatTookLongIsASignOfOverload() {
        gates.policies(limit("some", "'adaptive':{'min':2,'max':10}"));
        for (int round = 0; round < 20; round++) {
            end(taken(), Completion.SUCCESS);
        }
        int grown = taken().size();
        gates.forward(5_000);
        end(all, Completion.SUCCESS);
        assertThat(taken()).hasSizeLessThan(grown);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDelayOfALeakyBucket_isNoSignOfOverload(boolean pacedFirst) {
        String adaptive = limit("some", "'adaptive':{'min':2,'max':10}");
        String paced = ("{'name':'paced','per':['caller'],'limit':{'algorithm':'leaky-bucket','rate':'10/m',"
                        + "'maxWait':'60s'}}")
                .replace('\'', '"');
        gates.policies(adaptive);
        for (int round = 0; round < 20; round++) {
            end(taken(), Completion.SUCCESS);
        }
        int grown = taken().size();
        end(all, Completion.IGNORED);
        gates.policies(pacedFirst ? new String[] {paced, adaptive} : new String[] {adaptive, paced});
        gates.check("acme").close();
        Verdict held = gates.check("acme");
        assertThat(held.delayNanos()).isEqualTo(6_000_000_000L);
        gates.forward(6_010);
        held.close();
        gates.policies(adaptive);

        assertThat(taken()).hasSize(grown);
    }

    private List<Verdict> all = new ArrayList<>();

    private List<Verdict> taken() {
        all = new ArrayList<>();
        for (Verdict verdict = gates.check("acme"); verdict.allowed(); verdict = gates.check("acme")) {
            all.add(verdict);
        }
        return all;
    }

    private void end(List<Verdict> verdicts, Completion how) {
        gates.forward(1);
        verdicts.forEach(it -> it.close(how));
    }
}

package io.sluice.analyzer.exact;

import static io.sluice.analyzer.exact.Asked.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactAboveTest {
    private static final long T = 1_763_700_000_123L;

    @ParameterizedTest
    @CsvSource({"2, false", "3, false", "4, true"})
    void overIsMoreThanTheThreshold(int requests, boolean over) {
        Asked asked = Asked.when("", "'above':3").add(requests, at(T, "acme"));

        assertThat(asked.of("acme")).isEqualTo(new Reading("above", requests, 3, requests, 0, over));
    }

    @ParameterizedTest
    @CsvSource({"9999, 2", "10000, 1", "10001, 1"})
    void anEventLeavesWhenItIsAWindowOld(long later, int left) {
        Asked asked = Asked.when("", "'above':3").add(at(T, "acme"), at(T + later, "acme"));

        assertThat(asked.of("acme").sum()).isEqualTo(left);
    }

    @ParameterizedTest
    @CsvSource({"999, false", "1000, false", "1001, true"})
    void bytesAreSummed(long second, boolean over) {
        Asked asked = Asked.when("'measure':'bytes',", "'above':2000")
                .add(at(T, "acme").bytes(1000), at(T + 1, "acme").bytes(second));

        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 1000 + second, 2000, 1000 + second, 0, over));
    }

    @ParameterizedTest
    @CsvSource({"1499999, false", "1500000, false", "1500001, true"})
    void millisAreSummedAsMicroseconds(long micros, boolean over) {
        Asked asked = Asked.when("'measure':'millis',", "'above':1500.5")
                .add(at(T, "acme").micros(500), at(T + 1, "acme").micros(micros));

        assertThat(asked.of("acme").sum()).isEqualTo((micros + 500) / 1000.0);
        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"999, false", "1000, false", "1001, true"})
    void costsAreSummed(long second, boolean over) {
        Asked asked = Asked.when("'measure':'cost',", "'above':2000")
                .add(at(T, "acme").cost(1000), at(T + 1, "acme").cost(second));

        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 1000 + second, 2000, 1000 + second, 0, over));
    }

    @Test
    void anEntryThatStandsForSeveralRequestsCountsThemAll() {
        Asked asked = Asked.when("", "'above':3").add(at(T, "acme").count(4));

        assertThat(asked.of("acme").sum()).isEqualTo(4);
    }

    @Test
    void differentValuesCountOnceEachForAsLongAsAnEventHasThem() {
        Asked asked = Asked.when("'per':['ip'],'measure':{'distinct':'caller'},", "'above':2")
                .add(at(T, "a"), at(T + 1, "b"), at(T + 2, "a"), at(T + 3, "b"));
        assertThat(asked.of("203.0.113.9").sum()).isEqualTo(2);

        asked.add(at(T + 10_001, "c"));
        assertThat(asked.of("203.0.113.9")).isEqualTo(new Reading("above", 3, 2, 3, 0, true));

        // the last of a is gone, then the last of b
        asked.add(at(T + 10_002, "c"));
        assertThat(asked.of("203.0.113.9").sum()).isEqualTo(2);
        asked.add(at(T + 10_003, "c"));
        assertThat(asked.of("203.0.113.9").sum()).isEqualTo(1);
    }

    @Test
    void statusesCanBeCountedAsValues() {
        Asked asked = Asked.when("'measure':{'distinct':'status'},", "'above':2")
                .add(
                        at(T, "a").status(200),
                        at(T, "a").status(404),
                        at(T, "a").status(0),
                        at(T, "a").rejected());

        assertThat(asked.of("a").sum()).isEqualTo(2);
    }

    @Test
    void whatWasRejectedDoesNotCount() {
        Asked asked =
                Asked.when("", "'above':1").add(at(T, "acme"), at(T, "acme").rejected());

        assertThat(asked.of("acme").sum()).isEqualTo(1);
    }

    @Test
    void whatIsClaimedCountsAgainstNobody() {
        Asked asked = Asked.when("", "'above':1").add(10, at(T, "acme").claimed());

        assertThat(asked.oracle.reading("p", List.of("acme"))).isEmpty();
    }

    @Test
    void aClaimedCallerStillHasAnAddress() {
        Asked asked =
                Asked.when("'per':['ip'],", "'above':1").add(2, at(T, "acme").claimed());

        assertThat(asked.over("203.0.113.9")).isTrue();
    }

    @Test
    void onlyWhatMatchesCounts() {
        Asked asked = Asked.when("'match':{'service':'orders','status':'4xx'},", "'above':1")
                .add(
                        at(T, "acme").status(399),
                        at(T, "acme").status(400),
                        at(T, "acme").status(499),
                        at(T, "acme").status(500),
                        at(T, "acme").status(404).of("search"));

        assertThat(asked.of("acme").sum()).isEqualTo(2);
    }

    @Test
    void theAllowedAreNeverOverWhileTheyAre() {
        Asked asked = Asked.set("{'allow':[{'caller':'acme','until':'2025-11-21T04:40:01Z'}],'policies':["
                + "{'name':'p','window':'10s','per':['caller'],'lock':{'when':[{'above':1}]}}]}");
        long until = 1_763_700_001_000L;

        asked.add(10, at(until - 1, "acme"));
        assertThat(asked.oracle.reading("p", List.of("acme"))).isEmpty();

        asked.add(2, at(until, "acme"));
        assertThat(asked.of("acme").sum()).isEqualTo(2);
    }

    @Test
    void overridesHaveTheirOwnThresholdAndMayBeTheOnlyOnes() {
        Asked asked = Asked.set("{'policies':[{'name':'p','window':'10s','per':['caller'],"
                + "'overrides':[{'match':{'caller':'acme'},'lock':{'when':[{'above':2}]}}],"
                + "'limit':{'rate':'10/s'}}]}");

        asked.add(3, at(T, "acme")).add(3, at(T, "bob"));

        assertThat(asked.over("acme")).isTrue();
        assertThat(asked.oracle.reading("p", List.of("bob"))).isEmpty();
    }

    @Test
    void anyOfSeveralIsEnoughAndTheNearestSpeaksWhileNoneHolds() {
        Asked asked = Asked.lock("", "'when':[{'above':5},{'above':3}]").add(3, at(T, "acme"));
        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 3, 3, 3, 0, false));

        asked.add(1, at(T, "acme"));
        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 4, 3, 4, 0, true));

        asked.add(2, at(T, "acme"));
        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 6, 5, 6, 0, true));
    }

    @Test
    void aSpanLastsFromTheEventThatCrossedToTheLastThatWasOver() {
        Asked asked = Asked.when("", "'above':1")
                .add(
                        at(T, "acme"),
                        at(T + 1, "acme"),
                        at(T + 2, "bob"),
                        at(T + 3, "acme"),
                        at(T + 20_000, "acme"),
                        at(T + 20_001, "acme"));

        assertThat(asked.overs())
                .containsExactly(
                        new Over("p", List.of("acme"), "above", T + 1, T + 3, 2, 1),
                        new Over("p", List.of("acme"), "above", T + 20_001, T + 20_001, 2, 1));
    }

    @Test
    void aReadingIsOfTheTimeOfTheNewestEventOfAnybody() {
        Asked asked = Asked.when("", "'above':1").add(2, at(T, "acme"));
        assertThat(asked.over("acme")).isTrue();

        asked.add(at(T + 10_000, "bob"));

        assertThat(asked.of("acme").sum()).isZero();
    }

    @Test
    void timeNeverGoesBack() {
        Asked asked = Asked.when("", "'above':1").add(at(T, "acme"));

        assertThatThrownBy(() -> asked.add(at(T - 1, "acme"))).isInstanceOf(IllegalArgumentException.class);
    }
}

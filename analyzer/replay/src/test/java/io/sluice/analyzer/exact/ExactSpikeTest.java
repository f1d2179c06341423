package io.sluice.analyzer.exact;

import static io.sluice.analyzer.exact.Asked.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactSpikeTest {
    private static final long W = 10_000;
    /** A border of windows. */
    private static final long T = 1_763_700_000_000L;

    /** Ten requests in each of so many windows; the last of them is the one before the one before {@link #present}. */
    private static Asked regular(String spike, int windows) {
        Asked asked = Asked.when("", spike);
        for (int i = 0; i < windows; i++) {
            asked.add(10, at(T + W * i, "acme"));
        }
        return asked;
    }

    private static long present(int windows) {
        return T + W * (windows + 1);
    }

    @ParameterizedTest
    @CsvSource({"28, false", "29, false", "30, true"})
    void overIsMoreThanAMultipleOfTheBaseline(int requests, boolean over) {
        Asked asked = regular("'spike':2.95,'baseline':'1h','floor':0", 12).add(requests, at(present(12), "acme"));

        assertThat(asked.of("acme").observed()).isCloseTo(requests / 10.0, within(1e-9));
        assertThat(asked.of("acme").threshold()).isEqualTo(2.95);
        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"49, false", "50, false", "51, true"})
    void overIsMoreThanTheFloor(int requests, boolean over) {
        Asked asked = regular("'spike':3,'baseline':'1h','floor':50", 12).add(requests, at(present(12), "acme"));

        // the floor is as good as a baseline of a third of it
        assertThat(asked.of("acme").observed()).isCloseTo(requests / (50 / 3.0), within(1e-9));
        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"1h, 9, false", "1h, 10, true", "1h, 11, true", "25s, 2, false", "25s, 3, true", "25s, 4, true"})
    void thereIsNoBaselineBeforeTenWindowsOrAsManyAsItSpans(String baseline, int windows, boolean over) {
        Asked asked = regular("'spike':3,'baseline':'" + baseline + "','floor':0", windows)
                .add(100, at(present(windows), "acme"));

        assertThat(asked.over("acme")).isEqualTo(over);
        assertThat(asked.of("acme").observed() > 0).isEqualTo(over);
    }

    /** What comes after a lock has opened within a window is not part of it. */
    @Test
    void requestsWhileTheSubjectIsLocked_areLeftOut() {
        Asked asked = regular("'spike':3,'baseline':'1h','floor':0", 12).add(10, at(T + W * 12, "acme"));
        asked.oracle.locked("p", List.of("acme"), T + W * 12 + 1, T + W * 13);
        asked.add(1000, at(T + W * 12 + 2, "acme"))
                .add(10, at(T + W * 13, "acme"))
                .add(31, at(T + W * 15, "acme"));

        assertThat(asked.of("acme").observed()).isCloseTo(3.1, within(1e-9));
    }

    @Test
    void requestsWithoutTheCountedAttribute_makeNoBaseline() {
        Asked asked = Asked.when("'measure':{'distinct':'labels.account'},", "'spike':3,'baseline':'1h','floor':0");

        for (int i = 0; i < 14; i++) {
            asked.add(at(T + W * i, "acme"));
        }

        assertThat(asked.oracle.reading("p", List.of("acme"))).isEmpty();
    }

    @Test
    void windowsInWhichRequestsWereAllowed_areLeftOut() {
        Asked asked =
                Asked.set("{'allow':[{'caller':'acme','service':'bulk','until':'" + Instant.ofEpochMilli(T + 42 * W)
                        + "'}],'policies':[{'name':'p','window':'10s','per':['caller'],"
                        + "'lock':{'when':[{'spike':2,'baseline':'25s','floor':0}]}}]}");
        for (int i = 0; i < 12; i++) {
            asked.add(10, at(T + W * i, "acme"));
        }

        for (int i = 42; i < 46; i++) {
            asked.add(10, at(T + W * i, "acme"));
            assertThat(asked.of("acme").observed()).isCloseTo(1, within(1e-9));
        }
    }

    @Test
    void newerWindowsWeighMoreAndEmptyOnesCount() {
        // alpha is 1 - exp(-1/2.5) with windows of 10 s and a baseline of 25 s
        double left = Math.exp(-0.4);
        Asked asked = Asked.when("", "'spike':2,'baseline':'25s','floor':0")
                .add(8, at(T, "acme"))
                .add(4, at(T + 2 * W + 5, "acme"))
                .add(6, at(T + 4 * W, "acme"));

        double weighted = (1 - left) * (4 + 0 * left + 8 * left * left) / (1 - left * left * left);
        assertThat(asked.of("acme").observed()).isCloseTo(6 / weighted, within(1e-9));
    }

    @Test
    void theWindowBeforeTheCurrentOneIsNotPartOfIt() {
        Asked asked = regular("'spike':3,'baseline':'1h','floor':0", 12)
                .add(1000, at(T + W * 12, "acme"))
                .add(1, at(present(12), "acme"));

        assertThat(asked.of("acme").observed()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void theBaselineRestsWhileTheSubjectIsLocked() {
        Asked asked = regular("'spike':3,'baseline':'1h','floor':0", 12);
        asked.oracle.locked("p", List.of("acme"), T + W * 12 - 1, T + W * 20);
        asked.oracle.locked("p", List.of("acme"), T + W * 12 - 1, T + W * 14 + 1);
        for (int i = 12; i < 15; i++) {
            asked.add(1000, at(T + W * i, "acme"));
        }
        asked.add(31, at(T + W * 16, "acme"));

        // windows 12, 13 and 14 began while it was locked
        assertThat(asked.of("acme").observed()).isCloseTo(3.1, within(1e-9));
    }
}

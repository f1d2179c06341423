package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.replay.ReplayLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistinctTest {

    private static Played above(int values, String more) {
        return new Played("'per':['ip'],'measure':{'distinct':'caller'},'window':'1m'," + more
                + "'lock':{'when':[{'above':" + values + "}]}");
    }

    @ParameterizedTest
    @CsvSource({"19, 0", "20, 0", "21, 1"})
    void differentCallersFromOneAddressAreCountedExactlyWhileTheyAreFew(int callers, int locks) {
        Played played = above(20, "");
        for (int i = 0; i < 400; i++) {
            played.at("user-" + i % callers, i * 100L, "/login", 401, 0);
        }

        assertThat(played.locks()).hasSize(locks);
    }

    @Test
    void theSameOnesAgainAreNoMore() {
        assertThat(above(20, "").calls("ada", 5000, 0, 60, 0).locks()).isEmpty();
    }

    @Test
    void theWindowForgetsThem() {
        Played played = above(20, "");
        for (int i = 0; i < 200; i++) {
            played.at("user-" + i, i * 3100L, "/login", 401, 0);
        }

        assertThat(played.locks()).isEmpty();
    }

    @Test
    void onlyWhatMatchesCounts() {
        Played played = above(20, "'match':{'status':[401,403]},");
        for (int i = 0; i < 100; i++) {
            played.at("user-" + i, i * 10L, "/login", 200, 0);
        }
        assertThat(played.locks()).isEmpty();

        for (int i = 0; i < 21; i++) {
            played.at("user-" + i, 1000 + i * 10L, "/login", 401, 0);
        }

        assertThat(played.locks()).extracting(ReplayLock::at).containsExactly(Played.START + 1000 + 200);
    }

    @ParameterizedTest
    @CsvSource({"1", "0"})
    void statusesAreCounted_asTheExactMethodDoes(int above) {
        Played played = new Played("'per':['caller'],'measure':{'distinct':'status'},'window':'1m',"
                        + "'lock':{'when':[{'above':" + above + "}]}")
                .at("ada", 0, "/login", 0, 0)
                .at("ada", 1000, "/login", 200, 0)
                .at("ada", 2000, "/login", 200, 0)
                .at("ada", 3000, "/login", 401, 0);

        long crossed = Played.START + (above == 0 ? 1000 : 3000);
        assertThat(played.overs()).extracting(ExactOracle.Over::from).containsExactly(crossed);
        assertThat(played.locks()).extracting(ReplayLock::at).containsExactly(crossed);
    }

    @Test
    void manyAreCountedWithinSomePercent() {
        Played played = above(20_000, "");
        for (int i = 0; i < 25_000; i++) {
            played.at("user-" + i, i, "/login", 401, 0);
        }

        assertThat(played.locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.at() - Played.START).isBetween(19_000L, 21_000L));
    }
}

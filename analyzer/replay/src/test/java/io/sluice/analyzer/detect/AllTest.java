package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.replay.ReplayLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllTest {

    private static Played of(String conditions) {
        return new Played("'per':['caller'],'window':'1m','lock':{'when':[{'all':[" + conditions + "]}]}");
    }

    /** Acme uses 60 of 100 to begin with, for as long as a load needs to be asked. */
    private static Played crowding(Played played) {
        return played.calls("acme", 120, 0, 120, 0).calls("others", 80, 0, 120, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "{'above':50} , {'share':'50%'}, 1",
        "{'above':70} , {'share':'50%'}, 0",
        "{'above':50} , {'share':'70%'}, 0",
        "{'share':'50%'} , {'above':50}, 1",
    })
    void everyPartHasToHold(String one, String other, int locks) {
        assertThat(crowding(of(one + "," + other)).locks()).hasSize(locks);
    }

    @Test
    void thePartThatIsOverByLeastIsTheEvidence() {
        assertThat(crowding(of("{'above':10},{'share':'55%'}")).locks())
                .extracting(lock -> lock.evidence().detector())
                .containsExactly("share");
        assertThat(crowding(of("{'above':58},{'share':'10%'}")).locks())
                .extracting(lock -> lock.evidence().detector())
                .containsExactly("above");
    }

    @Test
    void partsThatNeedNoLoadAreAskedAtOnce() {
        Played played = of("{'above':30},{'spike':3,'baseline':'10m','floor':5}")
                .calls("acme", 100, 0, 1200, 0)
                .calls("acme", 100, 1200, 10, 0);

        assertThat(played.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.evidence().sum()).isEqualTo(31);
            assertThat(lock.evidence().detector()).isEqualTo("above");
        });
    }

    @Test
    void aListIsAnyOf() {
        Played played = new Played(
                        "'per':['caller'],'window':'1m','lock':{'when':[{'above':1000},{'all':[{'above':50},{'share':'50%'}]}]}")
                .calls("acme", 120, 0, 120, 0)
                .calls("others", 80, 0, 120, 0);

        assertThat(played.locks()).extracting(ReplayLock::subject).hasSize(1);
    }
}

package io.sluice.analyzer.exact;

import static io.sluice.analyzer.exact.Asked.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactShareTest {
    private static final long T = 1_763_700_000_000L;
    /** The group has been known for a window by now, and its window is empty. */
    private static final long NOW = T + 20_000;

    private static Asked share(String condition) {
        return Asked.when("", condition + ",'of':[]").add(at(T, "first"));
    }

    @ParameterizedTest
    @CsvSource({"3, false", "4, false", "5, true"})
    void overIsMoreThanTheShare(int requests, boolean over) {
        Asked asked = share("'share':'40%'").add(6, at(NOW, "bob")).add(requests, at(NOW, "acme"));

        double load = 6 + requests;
        assertThat(asked.of("acme")).isEqualTo(new Reading("share", requests / load, 0.4, requests, load, over));
    }

    @ParameterizedTest
    @CsvSource({"9, false", "10, false", "11, true"})
    void theLoadMustHavePassedBeyond(int load, boolean over) {
        Asked asked = share("'share':'40%','beyond':10").add(2, at(NOW, "bob")).add(load - 2, at(NOW, "acme"));

        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"2, false", "3, true", "4, true"})
    void theOthersMustBeThere(int others, boolean over) {
        Asked asked =
                share("'share':'40%','others':3").add(others, at(NOW, "bob")).add(9, at(NOW, "acme"));

        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"4999, false", "5000, true", "5001, true"})
    void aLoadMustHaveBeenKnownForAWindowInPanes(long age, boolean over) {
        // panes of 5 s / 2: the first event lies in the window's first pane from its fourth pane on
        Asked asked = Asked.when("'panes':4,", "'share':'40%','of':[]");
        asked.add(at(T + 2_500, "bob"), at(T + 5_000 + age, "acme"), at(T + 5_000 + age, "acme"));

        assertThat(asked.over("acme")).isEqualTo(over);
    }

    @Test
    void whoCannotBeLockedIsPartOfTheLoad() {
        Asked asked = Asked.set("{'allow':[{'caller':'friend'}],'policies':[{'name':'p','window':'10s',"
                + "'per':['caller'],'lock':{'when':[{'share':'40%','of':[]}]}}]}");
        asked.add(at(T, "first"))
                .add(3, at(NOW, "friend"))
                .add(2, at(NOW, "ghost").claimed());

        asked.add(3, at(NOW, "acme")).add(1, at(NOW, "bob").rejected());

        assertThat(asked.of("acme").load()).isEqualTo(8);
        assertThat(asked.overs()).isEmpty();
    }

    @Test
    void eachGroupHasItsOwnLoad() {
        Asked asked = Asked.when("'per':['caller','service'],", "'share':'50%','of':['service']");
        asked.add(at(T, "first"), at(T, "first").of("search"));

        asked.add(3, at(NOW, "acme").of("search"))
                .add(2, at(NOW, "bob").of("search"))
                .add(9, at(NOW, "bob").of("orders"));

        assertThat(asked.of("acme", "search")).isEqualTo(new Reading("share", 0.6, 0.5, 3, 5, true));
        assertThat(asked.of("bob", "search").observed()).isEqualTo(0.4);
    }

    @Test
    void whatTheMatchFixesNeedNotBeInTheSubject() {
        Asked asked = Asked.when("'match':{'service':'orders'},", "'share':'50%','of':['service']");
        asked.add(at(T, "first"), at(NOW, "bob"), at(NOW, "bob").of("search"), at(NOW, "acme"), at(NOW, "acme"));

        assertThat(asked.of("acme")).isEqualTo(new Reading("share", 2 / 3.0, 0.5, 2, 3, true));
    }

    /** Others used to take 2 ms; now they take so many microseconds, while acme has more than its share. */
    private static Asked slow(int windows, long now) {
        Asked asked = Asked.when("", "'share':'40%','of':[],'whenOthersSlow':1.5");
        for (int i = 0; i < windows; i++) {
            asked.add(
                    at(T + 10_000L * i, "bob").micros(2_000),
                    at(T + 10_000L * i, "acme").micros(90_000));
        }
        long present = T + 10_000L * (windows + 1);
        return asked.add(at(present, "bob").micros(now))
                .add(2, at(present, "acme").micros(5));
    }

    @ParameterizedTest
    @CsvSource({"2999, false", "3000, false", "3001, true"})
    void itIsNotOverWhileTheOthersAreNotSlow(long micros, boolean over) {
        assertThat(slow(12, micros).over("acme")).isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"9, false", "10, true", "11, true"})
    void nobodyIsSlowWithoutABaseline(int windows, boolean over) {
        assertThat(slow(windows, 50_000).over("acme")).isEqualTo(over);
    }
}

package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The keys of a source. */
class SourceSettingsTest extends SettingsFixture {
    static Stream<String> keysOfASource() {
        return KnownKeys.SOURCE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("keysOfASource")
    void eachKeyOfASource_isKnown_inTheFileAndAsAVariable(String key) {
        boolean named = List.of("fields", "labels").contains(key);
        String whole = "sources.0." + key + (named ? ".x" : "");
        String variable = RawSettings.variable("sources.0." + key) + (named ? "_x" : "");
        List<String> problems = new ArrayList<>();

        assertThat(KnownKeys.knows(whole)).isTrue();
        assertThat(RawSettings.of(
                        new Node.Mapping(new Place("none", 0), List.of()),
                        Map.of(variable, "1"),
                        problems,
                        new ArrayList<>()))
                .containsKey(whole);
        assertThat(problems).isEmpty();
    }

    @Test
    void mostPerSecond_isReadFromTheFileAndTheEnvironment() throws Exception {
        assertThat(read("sources: [ { topic: a, most-per-second: 5000 } ]")
                        .sources()
                        .get(0)
                        .mostPerSecond())
                .isEqualTo(5_000);
        assertThat(SluiceSettings.read(
                                write("sources: [ { topic: a } ]"), Map.of("SLUICE_SOURCES_0_MOST_PER_SECOND", "7"))
                        .sources()
                        .get(0)
                        .mostPerSecond())
                .isEqualTo(7);
        assertThat(problems("sources: [ { topic: a, most-per-second: 0 } ]"))
                .containsExactly(file
                        + ":1: sources.0.most-per-second: found 0, allowed is a whole number from 1 to 1000000000");
    }

    @Test
    void ipv6Prefix_ofASource_isThatOfTheAgentUnlessItHasItsOwn() throws Exception {
        assertThat(read("sources: [ { topic: a } ]").sources().get(0).ipv6Prefix())
                .isEqualTo(64);
        assertThat(read("agent: { ipv6-prefix: 56 }").sources().get(0).ipv6Prefix())
                .isEqualTo(56);
        assertThat(read("agent: { ipv6-prefix: 56 }\nsources: [ { topic: a, ipv6-prefix: 48 } ]")
                        .sources()
                        .get(0)
                        .ipv6Prefix())
                .isEqualTo(48);
        assertThat(problems("sources: [ { topic: a, ipv6-prefix: 0 } ]"))
                .containsExactly(file + ":1: sources.0.ipv6-prefix: found 0, allowed is a whole number from 1 to 128");
    }

    @Test
    void spread_isAllPartitionsByDefaultAndAtMostThoseOfTheTopic() throws Exception {
        assertThat(read("sources: [ { topic: a } ]").sources().get(0).spreadOver(8))
                .isEqualTo(8);
        assertThat(read("sources: [ { topic: a, spread: 2 } ]").sources().get(0).spreadOver(8))
                .isEqualTo(2);
        assertThat(read("sources: [ { topic: a, spread: 9 } ]").sources().get(0).spreadOver(8))
                .isEqualTo(8);
        assertThat(problems("sources: [ { topic: a, spread: 0 } ]"))
                .containsExactly(file + ":1: sources.0.spread: found 0, allowed is a whole number from 1 to 100000");
    }
}

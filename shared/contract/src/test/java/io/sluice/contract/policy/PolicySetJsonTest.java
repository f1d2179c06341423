package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicySetJsonTest {

    @ParameterizedTest
    @ValueSource(strings = {"full", "supported"})
    void aSetComesBackFromTheTopicAsItWas(String name) throws Exception {
        Path file = Path.of("src/test/resources/policies", name + ".json");
        PolicySet set = PolicySetReader.read(JsonNodes.read(Files.readAllBytes(file), "policies.yml"), false);

        assertThat(PolicySetJson.read(PolicySetJson.writeDesired(set))).isEqualTo(set);
        assertThat(PolicySetJson.read(PolicySetJson.writeActive(set))).isEqualTo(set);
    }

    @Test
    void overridesThatReplaceModesAndAlgorithmsComeBackAsTheyWere() throws Exception {
        PolicySet set = Policies.set(
                "{'policies':[{'name':'one','per':['caller'],'match':{'service':'a'},"
                        + "'lock':{'when':[{'above':9}],'mode':'throttle','rate':'10/m','closes':{'service':'b'},'escalate':{}},"
                        + "'limit':{'algorithm':'concurrency','max':5},"
                        + "'overrides':[{'match':{'caller':'x'},'lock':{'mode':'block','closes':{'service':'a'}},"
                        + "'limit':{'adaptive':{'max':9}}},"
                        + "{'match':{'caller':'y'},'lock':{'for':'debt','upTo':'3h'},'limit':{'algorithm':'leaky-bucket','rate':'0.3/s'}}]}]}");

        assertThat(PolicySetJson.read(PolicySetJson.writeDesired(set))).isEqualTo(set);
    }

    @Test
    void anActiveSetStatesItsRevision() throws Exception {
        PolicySet set = Policies.set("{'policies':[]}");

        assertThat(text(PolicySetJson.writeActive(set)))
                .startsWith("{\"type\":\"policies\",\"format\":1,\"revision\":\"" + set.revision() + "\",");
        assertThat(text(PolicySetJson.writeDesired(set))).doesNotContain("revision");
    }

    @Test
    void theStatedRevisionIsKeptBecauseItNamesWhatTheAnalyzerFollows() throws Exception {
        PolicySet set = read("{'type':'policies','format':1,'revision':'0123456789abcdef','policies':[]}");

        assertThat(set.revision()).isEqualTo("0123456789abcdef");
    }

    @Test
    void keysOfANewerVersionArePassedOver() throws Exception {
        PolicySet set = read("{'type':'policies','format':1,'colour':'red','policies':["
                + "{'name':'one','per':[],'shape':{'round':true},'lock':{'when':[{'above':5}],'sound':'loud'}}]}");

        assertThat(set.policies()).hasSize(1);
    }

    @Test
    void anUnknownKeyInAMatchIsRefusedBecauseTheMatchWouldBecomeWider() {
        assertThatThrownBy(() -> read("{'type':'policies','format':1,'policies':["
                        + "{'name':'one','per':[],'match':{'country':'X'},'lock':{'when':[{'above':5}]}}]}"))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessageContaining("policies[0].match.country");
    }

    @Test
    void aDesiredSetIsReadStrictly() {
        byte[] desired = bytes("{'type':'policies','format':1,'colour':'red','policies':[]}");

        assertThatThrownBy(() -> PolicySetJson.readDesired(desired))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessageContaining("colour");
    }

    /** Overrides are short in a file and long on the topic. */
    @Test
    void aSetThatWouldBeTooLargeToPublish_isAProblem_onlyWhereItIsNotPublishedYet() throws Exception {
        int least = written(overriding(1)).length;
        int each = written(overriding(2)).length - least;
        int most = 1 + (PolicySetJson.MAX_BYTES - least) / each;

        assertThat(PolicySetReader.read(overriding(most)).policies()).hasSize(1);

        Node tooMany = overriding(most + 1);
        byte[] written = written(tooMany);
        assertThatThrownBy(() -> PolicySetReader.read(tooMany))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessage(
                        "policies.yml:1: " + written.length + " bytes once written out, at most 1047552 are published");
        assertThat(PolicySetJson.read(written).policies()).hasSize(1);
        assertThat(PolicySetJson.readDesired(written).policies()).hasSize(1);
    }

    private static Node overriding(int overrides) throws MalformedRecord {
        String each = IntStream.range(0, overrides)
                .mapToObj(i -> "{'match':{'caller':'c" + (10_000 + i) + "'},'lock':{'shadow':true}}")
                .collect(Collectors.joining(","));
        return JsonNodes.read(
                bytes("{'policies':[{'name':'one','per':'caller','lock':{'when':{'above':5}},'overrides':[" + each
                        + "]}]}"),
                "policies.yml");
    }

    private static byte[] written(Node root) throws InvalidPolicies {
        return PolicySetJson.writeActive(PolicySetReader.read(root, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "",
                "{'type':'lock','format':1}",
                "{'type':'policies'}",
                "{'type':'policies','format':2,'policies':[]}",
                "{'format':1,'policies':[]}",
                "{'type':'policies','format':1,'policies':["
            })
    void whatIsNoPolicyRecordOfThisFormatIsMalformed(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class);
    }

    private static PolicySet read(String json) throws MalformedRecord, InvalidPolicies {
        return PolicySetJson.read(bytes(json));
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}

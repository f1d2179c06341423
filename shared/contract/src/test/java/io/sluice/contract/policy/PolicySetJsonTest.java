package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void aDesiredSetIsReadStrictly() throws MalformedRecord {
        byte[] desired = bytes("{'type':'policies','format':1,'colour':'red','policies':[]}");

        var document = PolicySetJson.document(desired);

        assertThatThrownBy(() -> PolicySetReader.read(document))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessageContaining("colour");
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

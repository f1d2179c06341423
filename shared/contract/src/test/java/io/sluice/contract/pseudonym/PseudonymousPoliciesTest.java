package io.sluice.contract.pseudonym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PseudonymousPoliciesTest {
    private static final String SET = """
            { "allow": [ { "caller": ["acme", "beta"], "reason": "paid" }, { "not": { "ip": "203.0.113.9" }, "route": "/x" } ],
              "policies": [ { "name": "p", "per": ["caller", "ip"], "match": { "service": "orders", "ip": "2001:db8::/64" },
                "lock": { "when": [ { "above": 10 } ], "mode": "block", "for": "1m", "closes": { "caller": "closed" } },
                "overrides": [ { "match": { "caller": "gold" }, "lock": { "when": [ { "above": 99 } ] } } ] } ] }
            """;

    @TempDir
    Path folder;

    private Pseudonyms keys;

    @BeforeEach
    void write() throws Exception {
        String secret = Base64.getEncoder().encodeToString(new byte[32]);
        String other = Base64.getEncoder().encodeToString(new byte[33]);
        keys = Pseudonyms.read(Files.writeString(folder.resolve("keys"), "k2: " + secret + "\nk1: " + other + "\n"));
    }

    @Test
    void callersAndAddresses_areReplacedUnderBothKeys() throws Exception {
        PolicySet set = PseudonymousPolicies.of(read(SET), keys);
        String written = new String(PolicySetJson.writeDesired(set), StandardCharsets.UTF_8);

        assertThat(written).doesNotContain("acme", "beta", "gold", "closed\"", "203.0.113.9", "2001:db8");
        for (PseudonymKey key : keys.keys()) {
            assertThat(written)
                    .contains(key.caller("acme"), key.caller("beta"), key.caller("gold"), key.caller("closed"))
                    .contains(key.ip("203.0.113.9"));
        }
        assertThat(written).contains("\"service\":\"orders\"", "\"reason\":\"paid\"", "::/64");
        assertThat(set.revision()).isNotEqualTo(read(SET).revision());
    }

    /** With {@code per: [ip]} an IPv4 address is counted alone, and its pseudonym with its network. */
    @Test
    void overrideOfLocksForAnAddress_isForTheNetworkOfItsPseudonym() throws Exception {
        PolicySet set = PseudonymousPolicies.of(read("""
                { "policies": [ { "name": "p", "per": ["ip"], "lock": { "when": [ { "above": 10 } ] },
                  "overrides": [ { "match": { "ip": "203.0.113.9" }, "lock": { "when": [ { "above": 99 } ] } },
                    { "match": { "ip": "203.0.113.8" }, "limit": { "rate": "1/s" } } ] } ] }
                """), keys);

        for (PseudonymKey key : keys.keys()) {
            String network = PseudonymKey.network(key.ip("203.0.113.9"));
            assertThat(set.policies().get(0).lockFor(List.of(network)).when())
                    .isEqualTo(set.policies().get(0).overrides().get(0).lock().when());
            assertThat(new String(PolicySetJson.writeDesired(set), StandardCharsets.UTF_8))
                    .contains(network, '"' + key.ip("203.0.113.8") + '"');
        }
        assertThat(PseudonymousPolicies.of(set, keys).revision()).isEqualTo(set.revision());
    }

    @Test
    void aSetThatIsReplacedTwice_staysAsItIs() throws Exception {
        PolicySet once = PseudonymousPolicies.of(read(SET), keys);
        assertThat(PseudonymousPolicies.of(once, keys).revision()).isEqualTo(once.revision());
    }

    /** Its match fixed the caller to one name, which has two pseudonyms while the key changes. */
    @Test
    void shareOfACallerThatItsMatchNames_isOfAllThatItMatches() throws Exception {
        PolicySet set = read("""
                { "policies": [ { "name": "p", "per": ["route", "ip"], "match": { "caller": "acme", "service": "orders" },
                  "lock": { "when": [ { "all": [ { "above": 10 }, { "share": 0.5, "of": ["caller", "service", "ip"] } ] } ] } } ] }
                """);

        PolicySet replaced = PseudonymousPolicies.of(set, keys);

        assertThat(of(set)).extracting(Attribute::toString).containsExactly("caller", "service", "ip");
        assertThat(of(replaced)).extracting(Attribute::toString).containsExactly("service", "ip");
        assertThat(PseudonymousPolicies.of(replaced, keys).revision()).isEqualTo(replaced.revision());
    }

    private static List<Attribute> of(PolicySet set) {
        Condition.All all = (Condition.All) set.policies()
                .get(0)
                .lockFor(List.of("/x", "203.0.113.9"))
                .when()
                .get(0);
        return ((Condition.Share) all.conditions().get(1)).of();
    }

    @Test
    void withoutKeys_nothingIsReplaced() throws Exception {
        PolicySet set = read(SET);
        assertThat(PseudonymousPolicies.of(set, Pseudonyms.NONE)).isSameAs(set);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ 'allow': [ { 'caller': 'a*' } ], 'policies': [] } | allow[0].caller: found 'a*', with pseudonyms allowed are whole names",
                "{ 'allow': [ { 'ip': '10.0.0.0/8' } ], 'policies': [] } | allow[0].ip: found '10.0.0.0/8', with pseudonyms allowed are single addresses",
                "{ 'policies': [ { 'name': 'p', 'per': ['ip/24'], 'limit': { 'rate': '1/s' } } ] } | policies[0].per[0]: found 'ip/24', with pseudonyms allowed are ip",
                "{ 'policies': [ { 'name': 'p', 'per': [caller], 'measure': { 'distinct': 'ip/24' }, 'lock': { 'when': [ { 'above': 1 } ], 'mode': 'block', 'for': '1m' } } ] } | policies[0].measure.distinct: found 'ip/24'",
            })
    void partsThatPseudonymsHide_areRefused(String set, String problem) {
        String json = set.replace('\'', '"').replace("[caller]", "[\"caller\"]");
        assertThatThrownBy(() -> PseudonymousPolicies.of(read(json), keys))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessageContaining(problem);
    }

    private static PolicySet read(String json) throws Exception {
        return PolicySetReader.read(JsonNodes.read(json.getBytes(StandardCharsets.UTF_8), "policies"));
    }
}

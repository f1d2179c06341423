package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.contract.policy.LimitRule.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicySetReaderTest {
    private static final Path FULL = Path.of("src/test/resources/policies/full.json");

    @Test
    void theFullExampleIsReadWhole() throws Exception {
        PolicySet set = full();

        assertThat(set.enforce()).isTrue();
        assertThat(set.guard()).isEqualTo(new PolicySet.Guard(0.1, 3, 1000));
        assertThat(set.allow().get(1).until())
                .isEqualTo(Instant.parse("2026-12-31T00:00:00Z").toEpochMilli());
        assertThat(set.allow().get(1).reason()).isEqualTo("load test");
        assertThat(set.policies())
                .extracting(Policy::name)
                .containsExactly(
                        "noisy-tenant",
                        "stuffing",
                        "scraper",
                        "slow-queries",
                        "plans",
                        "debtors",
                        "in-flight",
                        "paced",
                        "logged");
    }

    @Test
    void aLockOfTheFullExampleHasEveryField() throws Exception {
        LockRule lock = full().policies().get(0).lock();

        assertThat(lock.when())
                .containsExactly(
                        new Condition.Share(0.4, List.of(Attribute.parse("service")), 6000, 600, 1.5),
                        new Condition.All(
                                List.of(new Condition.Above(12000), new Condition.Spike(5, 3_600_000, 3000))));
        assertThat(lock.mode()).isEqualTo(Mode.THROTTLE);
        assertThat(lock.rate()).isEqualTo(50);
        assertThat(lock.shadow()).isTrue();
        assertThat(lock.forMillis()).isEqualTo(300_000);
        assertThat(lock.release()).isEqualTo(0.5);
        assertThat(lock.escalate()).isEqualTo(new LockRule.Escalate(2, 7_200_000, 86_400_000));
        assertThat(lock.closes()).hasToString("{\"service\":\"orders\"}");
        assertThat(lock.onDegraded()).isEqualTo(OnDegraded.LOCAL);
    }

    @Test
    void whatThisVersionCanDoIsSupported() throws Exception {
        Node root = JsonNodes.read(Files.readAllBytes(FULL.resolveSibling("supported.json")), "policies.yml");

        assertThat(PolicySetReader.read(root).policies()).hasSize(5);
    }

    @Test
    void everyWayALockCanLiveIsSupported() throws Exception {
        Node root = JsonNodes.read(Files.readAllBytes(FULL.resolveSibling("supported-locks.json")), "policies.yml");

        assertThat(PolicySetReader.read(root).policies())
                .extracting(Policy::smallestThreshold)
                .containsExactly(0.0, 60.0, 60.0);
    }

    @Test
    void whatIsNotSaidIsTheDefault() throws InvalidPolicies {
        PolicySet set = Policies.set(
                "{'policies':[{'name':'one','per':[],'lock':{'when':{'above':5}},'limit':{'rate':'1.5/s'}}]}");

        Policy policy = set.policies().get(0);
        assertThat(set.enforce()).isTrue();
        assertThat(set.allow()).isEmpty();
        assertThat(set.guard()).isEqualTo(PolicySet.Guard.DEFAULT);
        assertThat(policy.match()).isEqualTo(Match.ANY);
        assertThat(policy.measure()).isEqualTo(Measure.REQUESTS);
        assertThat(policy.window()).isEqualTo(new Window(60_000, 60));
        assertThat(policy.lock())
                .isEqualTo(new LockRule(
                        List.of(new Condition.Above(5)),
                        Mode.BLOCK,
                        0,
                        false,
                        300_000,
                        false,
                        0,
                        0.5,
                        null,
                        Match.ANY,
                        OnDegraded.LOCAL));
        assertThat(policy.limit())
                .isEqualTo(new LimitRule(
                        Algorithm.TOKEN_BUCKET,
                        1.5,
                        1000,
                        2,
                        0,
                        0,
                        null,
                        Scope.AGENT,
                        false,
                        OnDegraded.LOCAL,
                        null,
                        null,
                        0));
    }

    @Test
    void aSlowRateStillAllowsABurstOfOne() throws InvalidPolicies {
        assertThat(Policies.policy("'per':[],'limit':{'rate':'10/h'}").limit().burst())
                .isEqualTo(1);
    }

    @Test
    void aShareWithoutMoreIsOfEverythingAndNeedsOneOther() throws InvalidPolicies {
        Policy policy = Policies.policy("'per':['caller'],'lock':{'when':[{'share':'40%'}]}");

        assertThat(policy.lock().when()).containsExactly(new Condition.Share(0.4, List.of(), 0, 1, 0));
    }

    @Test
    void aLockClosesTheRequestAttributesOfItsMatch() throws InvalidPolicies {
        Policy policy =
                Policies.policy("'match':{'route':'/login','status':401},'per':['ip'],'lock':{'when':[{'above':5}]}");

        assertThat(policy.lock().closes()).hasToString("{\"route\":\"/login\"}");
    }

    @Test
    void bytesMayBeSizesAndMillisMayBeDurations() throws InvalidPolicies {
        Policy bytes = Policies.policy("'per':[],'measure':'bytes','lock':{'when':[{'above':'5MB'}]}");
        Policy millis = Policies.policy("'per':[],'measure':'millis','lock':{'when':[{'above':'2m'}]}");

        assertThat(bytes.lock().when()).containsExactly(new Condition.Above(5 * 1024 * 1024));
        assertThat(millis.lock().when()).containsExactly(new Condition.Above(120_000));
    }

    @Test
    void theBordersOfWindowAndPanesAreAllowed() throws InvalidPolicies {
        String rest = ",'per':[],'lock':{'when':[{'above':5}]}";

        assertThat(Policies.policy("'window':'1s','panes':4" + rest).window()).isEqualTo(new Window(1000, 4));
        assertThat(Policies.policy("'window':'24h','panes':600" + rest).window())
                .isEqualTo(new Window(86_400_000, 600));
    }

    @ParameterizedTest
    @CsvSource({"1m, 60", "10s, 50", "1s, 50", "1001ms, 13", "24h, 60"})
    void theDefaultPanesAreSixtyOrTheNextFewerThatFit(String window, int panes) throws InvalidPolicies {
        Policy policy = Policies.policy("'per':[],'lock':{'when':[{'above':5}]},'window':'" + window + "'");

        assertThat(policy.window().panes()).isEqualTo(panes);
    }

    private static PolicySet full() throws Exception {
        return PolicySetReader.read(JsonNodes.read(Files.readAllBytes(FULL), "policies.yml"), false);
    }
}

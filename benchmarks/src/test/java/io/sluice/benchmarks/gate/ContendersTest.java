package io.sluice.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.agent.verdict.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That each contender does what its row in the report says. */
final class ContendersTest {

    @BeforeAll
    static void keepSentinelsLogOutOfTheHome() {
        System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bucket4j", "guava", "resilience4j", "sentinel"})
    void aPeerWithPlentyLetsEverybodyPass(String name) {
        Asked peer = Peers.named(name, Allowance.PLENTY);
        for (int i = 0; i < 100; i++) {
            assertThat(peer.mayPass("plenty-" + i % 3)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bucket4j", "guava", "resilience4j", "sentinel"})
    void aPeerWithNothingLeftRejectsThatCallerAlone(String name) {
        Asked peer = Peers.named(name, Allowance.NOTHING);
        assertThat(peer.mayPass("acme")).isTrue();
        assertThat(peer.mayPass("acme")).isFalse();
        assertThat(peer.mayPass("bolt")).isTrue();
    }

    @Test
    void anUnknownPeerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Peers.named("other", Allowance.PLENTY))
                .withMessage("no peer is called other");
    }

    @Test
    void oursWithNothingLeftIsLimited() {
        for (OurGate gate :
                new OurGate[] {OurGate.twoPolicies(Allowance.NOTHING), OurGate.onePolicy(Allowance.NOTHING)}) {
            assertThat(gate.check(OurGate.request("acme")).allowed()).isTrue();
            assertThat(reason(gate)).isEqualTo(Verdict.Reason.LIMITED);
        }
    }

    @Test
    void oursWithALockIsLocked() {
        for (OurGate gate :
                new OurGate[] {OurGate.twoPolicies(Allowance.PLENTY), OurGate.onePolicy(Allowance.PLENTY)}) {
            assertThat(gate.check(OurGate.request("acme")).quota()).isNotNull();
            assertThat(reason(gate.lock("acme"))).isEqualTo(Verdict.Reason.LOCKED);
        }
    }

    private static Verdict.Reason reason(OurGate gate) {
        return ((Verdict.Rejected) gate.check(OurGate.request("acme"))).reason();
    }

    @Test
    void theFloorKnowsThoseWhoAskAndThoseWhoAreLocked() {
        Floor floor = new Floor(new String[] {"acme"}, 1);
        assertThat(floor.pass("acme")).isTrue();
        assertThat(floor.pass(Callers.name(Callers.ASKING))).isTrue();
        assertThat(floor.pass(Callers.name(Callers.ASKING + 1))).isFalse();
    }
}

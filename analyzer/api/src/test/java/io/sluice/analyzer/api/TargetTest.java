package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: noisy, per: [caller], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
              - { name: imports, per: [caller], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
              - { name: by-ip, per: [ip], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
              - { name: by-net, per: [ip/24], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
              - { name: by-48, per: [route, ip/48], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
              - { name: by-host, per: [ip/128], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
            """);

    @Test
    void noPolicyAtAll_isAnsweredWithHowToGetSome() {
        assertThatThrownBy(() -> Target.in(null, "noisy", List.of("acme")))
                .hasMessage(
                        "no policy noisy is in force, nor any other; './sluice policies apply FILE' publishes some");
    }

    @Test
    void emptyCaller_isRefused() {
        assertThatThrownBy(() -> Target.in(POLICIES, "noisy", List.of("")))
                .hasMessage(
                        "noisy counts per [caller]: found nothing for caller, such as from an empty variable of a shell");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "by-ip | 10.0.0.7 | 10.0.0.7",
                "by-ip | [2001:DB8:0::1]:443 | 2001:db8::/64",
                "by-ip | 2001:DB8::/64 | 2001:db8::/64",
                "by-ip | ::ffff:10.0.0.7 | 10.0.0.7",
                "by-net | 10.0.0.7 | 10.0.0.0/24",
                "by-net | 10.0.0.0/24 | 10.0.0.0/24",
                "by-net | 10.0.0.7/24 | 10.0.0.0/24",
                "by-host | 2001:db8:0:0::1 | 2001:db8::1"
            })
    void address_becomesWhatGatesName(String policy, String typed, String subject) throws Exception {
        assertThat(Target.in(POLICIES, policy, List.of(typed)).lockable().subject())
                .containsExactly(subject);
    }

    /** A lock of it would never close a gate. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "by-ip | banana | ip, allowed is an address, or a network of /64 (IPv6)",
                "by-ip | 10.0.0.0/24 | ip, allowed is an address, or a network of /64 (IPv6)",
                "by-ip | 10.0.0.256 | ip, allowed is an address, or a network of /64 (IPv6)",
                "by-net | 10.0.0.0/16 | ip/24, allowed is an address, or a network of /24 (IPv4) or /64 (IPv6)",
                "by-net | banana/24 | ip/24, allowed is an address, or a network of /24 (IPv4) or /64 (IPv6)",
                "by-host | 2001:db8::/64 | ip/128, allowed is an address"
            })
    void textThatIsNoAddress_whereThePolicyCountsAddresses_isNotLockable(String policy, String typed, String message)
            throws Exception {
        Target target = Target.in(POLICIES, policy, List.of(typed));

        assertThatThrownBy(target::lockable).hasMessageEndingWith(": found " + typed + " for " + message);
        assertThat(target.subject())
                .as("what an earlier version locked can be released")
                .containsExactly(typed);
    }

    @Test
    void textThatIsNoAddress_besideOtherValues_isNotLockable() throws Exception {
        assertThat(Target.in(POLICIES, "by-48", List.of("/orders", "2001:db8::1"))
                        .subject())
                .containsExactly("/orders", "2001:db8::/48");
        assertThatThrownBy(() ->
                        Target.in(POLICIES, "by-48", List.of("/orders", "acme")).lockable())
                .hasMessage(
                        "by-48 counts per [route, ip/48]: found acme for ip/48, allowed is an address, or a network of"
                                + " /48 (IPv6)");
    }

    @Test
    void unknownPolicy_isAnsweredWithTheNearest_orAllThereAre() {
        assertThatThrownBy(() -> Target.in(POLICIES, "nosy", List.of("acme")))
                .hasMessage("no policy nosy is in force, did you mean noisy?");
        assertThatThrownBy(() -> Target.in(POLICIES, "", List.of("acme")))
                .hasMessageStartingWith(
                        "no policy is named, such as by an empty variable of a shell; there are noisy, imports, ");
        assertThatThrownBy(() -> Target.in(POLICIES, "quota", List.of("acme")))
                .hasMessage("no policy quota is in force; there are noisy, imports, by-ip, by-net, by-48, by-host");
    }
}

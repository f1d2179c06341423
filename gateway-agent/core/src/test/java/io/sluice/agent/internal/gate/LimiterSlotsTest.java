package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Policy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LimiterSlotsTest {
    private static Policy policy(String per, List<String> matches) {
        List<String> overrides = matches.stream()
                .map(match -> "{'match':{" + match + "},'limit':{'burst':2}}")
                .toList();
        return GateHarness.set(("{'policies':[{'name':'p','per':[" + per + "],'limit':{'rate':'1/s'},'overrides':["
                                + String.join(",", overrides) + "]}]}")
                        .replace('\'', '"'))
                .policies()
                .get(0);
    }

    private static List<Integer> slots(LimiterSlots slots, Policy policy) {
        return policy.overrides().stream().map(slots::of).toList();
    }

    @Test
    void overridesOnTheSubjectAlone_shareOneSlot() {
        Policy policy = policy(
                "'caller','ip/24'",
                List.of("'caller':'acme'", "'ip':'10.0.0.0/8'", "'ip':'10.0.0.1'", "'method':'POST'"));
        assertThat(slots(LimiterSlots.NONE.next(policy), policy)).containsExactly(0, 0, 1, 2);
    }

    @Test
    void policyWithoutSubject_everyOverride_hasASlot() {
        Policy policy = policy("", List.of("'caller':'acme'", "'caller':'bolt'"));
        assertThat(slots(LimiterSlots.NONE.next(policy), policy)).containsExactly(1, 2);
    }

    @Test
    void randomVersions_keepSlotsOfEqualMatchesAndGiveNoneToAnother() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            LimiterSlots slots = LimiterSlots.NONE;
            Map<Integer, Match> owners = new HashMap<>();
            for (int version = 0; version < 20; version++) {
                List<String> matches = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    if (random.nextBoolean()) {
                        matches.add("'route':'/" + i + "'");
                    }
                }
                Collections.shuffle(matches, random);
                Policy policy = policy("'caller'", matches);
                LimiterSlots next = slots.next(policy);
                assertThat(slots(next, policy)).doesNotHaveDuplicates().allMatch(slot -> slot > 0);
                for (Policy.Override override : policy.overrides()) {
                    Match owner = owners.putIfAbsent(next.of(override), override.match());
                    assertThat(owner).as("seed %d", seed).isIn(null, override.match());
                }
                for (Policy.Override override : policy.overrides()) {
                    if (slots.of(override) != LimiterSlots.SUBJECT) {
                        assertThat(next.of(override)).as("seed %d", seed).isEqualTo(slots.of(override));
                    }
                }
                slots = next;
            }
        }
    }
}

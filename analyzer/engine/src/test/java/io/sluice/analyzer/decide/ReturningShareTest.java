package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.above;
import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A policy that loses its share and gets it back: the load was not counted meanwhile, the callers were. */
class ReturningShareTest {
    private static final PolicySet SHARE =
            policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'share':'40%'}]}}");
    private static final PolicySet NO_SHARE = above(1_000_000_000);

    private final Rig rig = Rig.with(SHARE);
    private long now = TIME;

    @Test
    void steadyCallersAreNotLockedWhenTheShareComesBack() {
        steady(180);
        rig.policies(NO_SHARE);
        steady(70);

        rig.policies(SHARE);
        steady(120);

        assertThat(rig.said).isEmpty();
    }

    @Test
    void steadyCallersAreNotLockedWhenTheShareWasGoneForLessThanAWindow() {
        steady(180);
        rig.policies(NO_SHARE);
        steady(55);

        rig.policies(SHARE);
        steady(120);

        assertThat(rig.said).isEmpty();
    }

    @Test
    void whoCrowdsTheOthersOutIsLockedOnceTheLoadIsKnownForAWindowAgain() {
        steady(180);
        rig.policies(NO_SHARE);
        steady(70);
        rig.policies(SHARE);
        steady(61);

        rig.admit("noisy", 1_000, now).passed(now + 1_000);

        assertThat(rig.said).extracting(GateLock::subject).containsExactly(List.of("noisy"));
    }

    @Test
    void aShareThatAnUnrelatedChangeLeavesAloneGoesOn() {
        steady(61);
        rig.policies(policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'share':'30%'}]}}"));

        rig.admit("noisy", 1_000, now).passed(now + 1_000);

        assertThat(rig.said).extracting(GateLock::subject).containsExactly(List.of("noisy"));
    }

    /** Ten callers, each once a second. */
    private void steady(int seconds) {
        for (int second = 0; second < seconds; second++) {
            for (int caller = 0; caller < 10; caller++) {
                rig.admit("caller-" + caller, 1, now);
            }
            now += 1_000;
            rig.passed(now);
        }
    }
}

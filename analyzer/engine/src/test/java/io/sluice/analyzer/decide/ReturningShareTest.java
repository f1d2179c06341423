package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.above;
import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestEvents;
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
        // a window, and the panes that not all meters may have counted from their beginning
        steady(65);

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

    @Test
    void steadyCallersAreNotLockedWhenTheShareComesBackWithinALongPane() {
        String text = "{'name':'p','per':['caller'],'window':'1m','panes':4,'lock':{'when':[%s]}}";
        PolicySet share = policies(text.formatted("{'share':'40%'}"));
        rig.policies(share);
        quarters(180);
        rig.policies(policies(text.formatted("{'above':1000000000}")));
        quarters(70);

        rig.policies(share);
        quarters(180);

        assertThat(rig.said).isEmpty();
    }

    /** Four callers, each ten times a second, whose partials come before what was read is known. */
    private void quarters(int seconds) {
        for (int tenth = 0; tenth < 10 * seconds; tenth++) {
            for (int caller = 0; caller < 4; caller++) {
                rig.meter.add(TestEvents.admitted("caller-" + caller, now));
            }
            now += 100;
            rig.passed(now, now - 150);
        }
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

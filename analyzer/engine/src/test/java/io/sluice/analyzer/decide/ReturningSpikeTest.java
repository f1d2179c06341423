package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.above;
import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.TestPolicies.set;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is usual for a steady caller stays so over times in which its requests are rejected, allowed or not counted for it. */
class ReturningSpikeTest {
    private static final String SPIKE =
            "{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'spike':3,'baseline':'10m','floor':20}]}}";
    private static final int HALF_AN_HOUR = 1_800;

    private final Rig rig = Rig.with(policies(SPIKE));
    private long now = TIME;

    /** One request a second. */
    private void steady(int seconds) {
        for (int second = 0; second < seconds; second++) {
            rig.admit("acme", 1, now);
            now += 1_000;
        }
    }

    @Test
    void spikeIsRemovedAndComesBack_steadyCallerIsNotLocked() {
        steady(HALF_AN_HOUR);
        rig.policies(above(1_000_000_000));
        steady(HALF_AN_HOUR);

        rig.policies(policies(SPIKE));
        steady(300);

        assertThat(rig.said).isEmpty();
        rig.admit("acme", 200, now);
        assertThat(rig.said).as("200 where 60 are usual").isNotEmpty();
    }

    @Test
    void callerIsAllowedForATime_steadyCallerIsNotLocked() {
        steady(HALF_AN_HOUR);
        rig.policies(set("{'allow':[{'caller':'acme'}],'policies':[" + SPIKE + "]}"));
        steady(HALF_AN_HOUR);

        rig.policies(policies(SPIKE));
        steady(300);

        assertThat(rig.said).isEmpty();
    }

    @Test
    void allowedUntilATime_steadyCallerIsNotLockedAfterwards() {
        PolicySet allowing = set("{'allow':[{'caller':'acme','until':'"
                + Instant.ofEpochMilli(TIME + 2L * HALF_AN_HOUR * 1_000) + "'}],'policies':[" + SPIKE + "]}");
        steady(HALF_AN_HOUR);
        rig.policies(allowing);
        steady(HALF_AN_HOUR);

        steady(300);

        assertThat(rig.said).isEmpty();
    }

    @Test
    void lockOfAnOperatorEnds_steadyCallerIsNotLocked() {
        steady(HALF_AN_HOUR);
        rig.task.operator(
                new OperatorRecord.Lock(
                        "p", List.of("acme"), Mode.BLOCK, 0, HALF_AN_HOUR * 1_000L, "ann", "a drill", now),
                now);
        for (int second = 0; second < HALF_AN_HOUR; second++) {
            rig.reject("acme", 1, now);
            now += 1_000;
        }

        steady(300);

        assertThat(rig.said).extracting(GateLock::mode).isEmpty();
    }

    @Test
    void allowOfAnotherCaller_addedRemovedOrOver_silenceGoesOn() {
        steady(HALF_AN_HOUR);
        rig.policies(set("{'allow':[{'caller':'checker'},{'caller':'guest','until':'"
                + Instant.ofEpochMilli(now + 60_000) + "'}],'policies':[" + SPIKE + "]}"));
        now += HALF_AN_HOUR * 1_000L;
        rig.policies(policies(SPIKE));
        rig.admit("checker", 1, now);

        steady(90);

        assertThat(rig.said).as("half an hour of silence was the caller's own").isNotEmpty();
    }

    @Test
    void allowThatHasEndedIsRemovedLater_silenceSinceItsEndGoesOn() {
        PolicySet allowing = set("{'allow':[{'caller':'acme','until':'"
                + Instant.ofEpochMilli(TIME + HALF_AN_HOUR * 1_000L + 60_000) + "'}],'policies':[" + SPIKE + "]}");
        steady(HALF_AN_HOUR);
        rig.policies(allowing);
        now += HALF_AN_HOUR * 1_000L;
        rig.policies(policies(SPIKE));

        steady(90);

        assertThat(rig.said)
                .as("most of half an hour of silence was the caller's own")
                .isNotEmpty();
    }

    @Test
    void changeThatLeavesTheSpikeAlone_silenceGoesOn() {
        steady(HALF_AN_HOUR);
        now += HALF_AN_HOUR * 1_000L;
        rig.policies(policies(SPIKE.replace("'spike':3", "'spike':4")));

        steady(90);

        assertThat(rig.said).as("half an hour of silence was the caller's own").isNotEmpty();
    }
}

package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import org.junit.jupiter.api.Test;

/** A debt of days: the debts of silent subjects are kept for two, their locks until they end. */
class LongDebtTest {
    private static final long DAY = 86_400_000;
    private static final PolicySet DEBT = policies("{'name':'p','per':['caller'],'window':'24h','panes':24,"
            + "'lock':{'when':[{'above':1000}],'for':'debt','upTo':'30d'}}");

    private final Rig before = Rig.with(DEBT).admit("acme", 6_000, TIME);

    private Rig restarted() {
        before.task.flush();
        Rig after = new Rig(before.state, before.windows);
        after.policies(DEBT);
        return after;
    }

    private static void assertLocked(Rig rig) {
        assertThat(rig.said).extracting(GateLock::mode).doesNotContain(Mode.OPEN);
        assertThat(rig.task.locks()).isOne();
    }

    @Test
    void restart_afterDaysOfSilence_forgivesNothing() {
        assertThat(before.last().until()).isGreaterThan(TIME + 4 * DAY);
        before.passed(TIME + 1_000);

        Rig after = restarted();
        for (long now = TIME + 3 * DAY; now < TIME + 3 * DAY + 10_000; now += 250) {
            after.passed(now);
        }

        assertLocked(after);
    }

    @Test
    void rejectedRequests_afterDaysOfSilence_forgiveNothing() {
        before.passed(TIME + 1_000);

        Rig after = restarted();
        after.until(TIME + 3 * DAY, TIME + 3 * DAY + 10_000, "acme", 0, 2);

        assertLocked(after);
    }

    /** While it is locked its debt is kept, so that it is known after the restart. */
    @Test
    void fewAdmitted_afterDaysOfSilenceWhileTheAnalyzerRan_forgiveNothing() {
        for (long now = TIME; now < TIME + 3 * DAY; now += DAY / 4) {
            before.passed(now);
            before.task.flush();
        }

        Rig after = restarted();
        after.until(TIME + 3 * DAY, TIME + 3 * DAY + 10_000, "acme", 1, 2);

        assertLocked(after);
    }
}

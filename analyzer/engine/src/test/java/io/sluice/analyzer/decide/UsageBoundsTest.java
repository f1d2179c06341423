package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.load.LoadBounds;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageBoundsTest {
    private static final long TIME = Rig.TIME;
    private static final PolicySet POLICIES =
            policies("{'name':'p','per':['service','caller'],'lock':{'when':[{'above':100}]},"
                    + "'overrides':[{'match':{'caller':'vip'},'lock':{'when':[{'above':1000}]}}]}");
    private static final Policy POLICY = POLICIES.policies().get(0);

    private static void check(boolean load, String revision, String... subject) throws MalformedRecord {
        UsageBounds bounds = new UsageBounds(1, 5_000);
        bounds.policies(POLICIES);
        UsagePartial partial =
                new UsagePartial(load, POLICY.window().paneOf(TIME), 5, 5, 0, TIME, TIME, new Origin(0, 1), 0);
        bounds.check(new UsageKey(revision, List.of(subject)), partial, TIME);
    }

    /** The rules that follow take the values of a subject by their places. */
    @Test
    void subjectOfAnotherNumberOfValues_isMalformed() {
        assertThatCode(() -> check(false, POLICY.revision(), "orders", "acme")).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(false, POLICY.revision(), "orders"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("usage.subject: 1 values, where the policy counts by 2");
        assertThatThrownBy(() -> check(false, POLICY.revision(), "orders", "acme", "acme"))
                .isInstanceOf(MalformedRecord.class);
    }

    /** A window that ends there would begin before the epoch. */
    @Test
    void timesJustAfterTheEpoch_areMalformed() {
        UsageBounds bounds = new UsageBounds(1, 5_000);
        Origin origin = new Origin(0, 1);
        UsagePartial early = new UsagePartial(false, 0, 5, 5, 0, 1_000, 1_000, origin, 0);

        assertThatThrownBy(() -> bounds.check(new MeterPosition(1_000, origin, 0), TIME))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("usage.position: 1000 is before 172800000, the earliest time");
        assertThatThrownBy(() -> bounds.check(new UsageKey("p@0", List.of("orders")), early, TIME))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith("usage.newestTime: 1000 is before");
        assertThatCode(() -> bounds.check(new MeterPosition(LoadBounds.EARLIEST, origin, 0), TIME))
                .doesNotThrowAnyException();
    }

    @Test
    void loadsAndPartialsOfUnknownPolicies_haveTheirOwnKeys() {
        assertThatCode(() -> check(true, POLICY.revision(), "service", "orders", "more"))
                .doesNotThrowAnyException();
        assertThatCode(() -> check(false, "p@0", "orders")).doesNotThrowAnyException();
    }
}

package io.sluice.analyzer.meter;

import static io.sluice.analyzer.TestEvents.admitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One meter with a megabyte, of which a sixteenth may be sums that wait for a commit. No policy holds anything back. */
class SumsBoundTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final long BUDGET = 1 << 20;
    private static final int EVENTS = 20_000;
    private static final String SPIKE =
            "{'name':'%s','per':['caller'],'lock':{'when':[{'spike':10,'baseline':'2h','floor':100}]}}";
    private static final String CROWD =
            "{'name':'d','per':['service'],'measure':{'distinct':'caller'},'lock':{'when':[{'spike':10,'baseline':'2h','floor':100}]}}";
    private static final String SHARE = "{'name':'s','per':['caller','service'],"
            + "'lock':{'when':[{'share':'40%','of':['service'],'beyond':100},{'spike':10,'baseline':'2h','floor':100}]}}";

    private final HeapBudget heap = new HeapBudget(BUDGET);
    private final Meter meter = new Meter(0, 1, TestBudgets.TIMES, heap, new Counts());
    private final List<UsagePartial> left = new ArrayList<>();
    private long most;

    private void count(PolicySet policies) {
        meter.policies(policies);
        String longName = "x".repeat(200);
        for (int i = 0; i < EVENTS; i++) {
            meter.add(admitted(longName + i, "service-" + i, TIME));
            meter.drainFull((key, partial) -> left.add(partial));
            most = Math.max(most, heap.used(Account.SUMS));
        }
        meter.drainAll((key, partial) -> left.add(partial));
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(heap.used(Account.SUMS)).isZero();
        meter.close();
        assertThat(heap.used(Account.SUMS)).isZero();
    }

    @Test
    void callersOfOneRequest_takeNoMoreThanASixteenth_andAreAllCounted() {
        count(TestPolicies.policies(
                SPIKE.formatted("a") + ',' + SPIKE.formatted("b").replace("'2h'", "'3h'")));

        assertThat(most).isBetween(BUDGET / 32, BUDGET / 16);
        assertThat(left).hasSize(2 * EVENTS);
        assertThat(left.stream().mapToLong(UsagePartial::admitted).sum()).isEqualTo(2 * EVENTS);
    }

    @Test
    void groupsCountAsSubjectsDo() {
        count(TestPolicies.policies(SHARE));

        assertThat(most).isBetween(BUDGET / 32, BUDGET / 16);
        assertThat(left).hasSize(2 * EVENTS);
    }

    @Test
    void distinctValuesAreCountedAsTheyCome() {
        count(TestPolicies.policies(CROWD));

        assertThat(most).isBetween(BUDGET / 32, BUDGET / 16);
        assertThat(left).hasSize(EVENTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 2_000})
    void theSetOfOneSubjectGrows_andIsCounted(int values) {
        meter.policies(TestPolicies.policies(CROWD));
        for (int i = 0; i < values; i++) {
            meter.add(admitted("caller-" + i, "orders", TIME));
        }
        meter.drainFull((key, partial) -> left.add(partial));

        assertThat(heap.used(Account.SUMS)).isBetween(130L + 8L * Math.min(values, 512), 10_000L);
        assertThat(left).isEmpty();
        meter.discard();
    }
}

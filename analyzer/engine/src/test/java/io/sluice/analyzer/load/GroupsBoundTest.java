package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Invented groups of {@code share}: those that fit are published, and no other group's load is ever too small. */
class GroupsBoundTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final PolicySet POLICIES =
            TestPolicies.policies("{'name':'s','per':['caller','route'],'window':'10s','panes':10,"
                    + "'lock':{'when':[{'share':'40%','of':['route']}]}}");

    private final HeapBudget budget = new HeapBudget(400_000);
    private final TaskBudget memory = budget.join(HeapBudget.Kind.DECIDE);
    private final LoadBook book = new LoadBook(budget);
    private final Counts counts = new Counts();
    private final LoadTotals totals = new LoadTotals(
            new Windows(new InMemoryWindowStore(), 'g', memory),
            new Histories<>(new InMemoryWindowStore(), 'h', memory, Baseline::decode),
            65_000,
            1,
            book,
            group -> true,
            memory,
            counts);
    private final Map<UsageKey, Load> published = new HashMap<>();
    private final Set<UsageKey> gone = new HashSet<>();
    private final LoadSink sink = new LoadSink() {
        @Override
        public void load(UsageKey group, Load load) {
            published.put(group, load);
            book.accept(group, load);
        }

        @Override
        public void gone(UsageKey group) {
            gone.add(group);
            book.forget(group);
        }
    };

    @BeforeEach
    void policies() {
        totals.policies(POLICIES);
    }

    private static UsageKey route(String name) {
        return new UsageKey(POLICIES.policies().get(0).revision(), List.of("route", name));
    }

    private void partial(UsageKey group, long time) {
        totals.partial(group, new UsagePartial(true, time / 1000, 1, 1, 0, time, time, new Origin(0, 1), 0));
    }

    private void readUpTo(long time) {
        totals.position(new MeterPosition(time, new Origin(0, 1), 0));
        totals.publish(sink);
    }

    private void invent(int many, long time) {
        for (int i = 0; i < many; i++) {
            partial(route("/invented-" + i), time);
        }
    }

    @Test
    void inventedGroups_beforeAnyMeterIsHeardOf_stayWithinTheBytes() {
        invent(10_000, TIME);

        assertThat(budget.used(Account.GROUPS)).isBetween(12_500L, 25_000L);
        assertThat(counts.of(Count.NO_ROOM, "groups")).isGreaterThan(9_000);
    }

    @Test
    void watches_withoutRoom_areCounted() {
        invent(10_000, TIME);
        long before = counts.of(Count.NO_ROOM, "groups");

        totals.watch(new UsageKey(POLICIES.policies().get(0).revision(), List.of("acme", "/orders")), TIME + 10_000);
        totals.publish(sink);

        assertThat(counts.of(Count.NO_ROOM, "groups")).isEqualTo(before + 1);
    }

    @Test
    void aGroupThatWasKnownBefore_isPublishedInFullAmongInventedOnes() {
        partial(route("/orders"), TIME);
        readUpTo(TIME + 100);
        invent(10_000, TIME + 200);
        partial(route("/orders"), TIME + 300);

        readUpTo(TIME + 400);

        Load load = published.get(route("/orders"));
        assertThat(load).isNotNull();
        assertThat(LoadSums.admitted(load, TIME / 1000, TIME / 1000)).isEqualTo(2);
        assertThat(budget.used(Account.LOADS)).isLessThanOrEqualTo(100_000);
    }

    @Test
    void aGroupThatWasRefused_isPublishedInFullOnceThereIsRoom() {
        invent(10_000, TIME);
        partial(route("/orders"), TIME + 100);
        readUpTo(TIME + 200);
        assertThat(published).doesNotContainKey(route("/orders"));

        // the invented are of no use any more, and are withdrawn
        readUpTo(TIME + 100_000);
        assertThat(gone).isNotEmpty();
        assertThat(budget.used(Account.GROUPS)).isZero();
        assertThat(budget.used(Account.LOADS)).isZero();
        partial(route("/orders"), TIME + 1_500);
        readUpTo(TIME + 100_001);

        // what was counted while it was refused is part of it
        Load load = published.get(route("/orders"));
        assertThat(load).isNotNull();
        assertThat(load.since()).isEqualTo(TIME + 100);
    }

    @Test
    void discard_releasesAllGroups() {
        invent(100, TIME);
        readUpTo(TIME + 100);
        assertThat(budget.used(Account.GROUPS)).isPositive();

        totals.discard();

        assertThat(budget.used(Account.GROUPS)).isZero();
    }

    @Test
    void aBookThatIsFull_keepsWhatItKnowsUpToDateAndRefusesTheRest() {
        Load load = new Load(1, new long[11], new long[11], new long[11], TIME, TIME);
        book.accept(route("/orders"), load);
        for (int i = 0; i < 1_000; i++) {
            book.accept(route("/invented-" + i), load);
        }
        assertThat(budget.used(Account.LOADS)).isBetween(90_000L, 100_000L);
        assertThat(book.leftOut()).isPositive();
        assertThat(book.load(route("/invented-999"))).isNull();

        Load newer = new Load(1, new long[11], new long[11], new long[11], TIME, TIME + 1);
        book.accept(route("/orders"), newer);
        assertThat(book.load(route("/orders"))).isSameAs(newer);

        for (int i = 0; i < 1_000; i++) {
            book.forget(route("/invented-" + i));
        }
        book.forget(route("/orders"));
        assertThat(budget.used(Account.LOADS)).isZero();
    }
}

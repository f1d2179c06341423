package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.analyzer.load.ActiveTotals;
import io.sluice.analyzer.load.Group;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The loads topic is compacted: only a tombstone of the task that owns a group ever removes its load. */
class LoadsLeftBehindTest {
    private static final PolicySet SHARE = TestPolicies.policies(
            "{'name':'s','per':['caller','service'],'window':'10s','lock':{'when':[{'share':'40%','of':['service']}]}}");
    private static final Policy POLICY = SHARE.policies().get(0);

    /** The longest window, lateness and skew. */
    private static final long LONGEST_MILLIS = 86_400_000 + 65_000;

    private final InMemoryLeaseStore state = new InMemoryLeaseStore();
    private final InMemoryWindowStore windows = new InMemoryWindowStore();
    private final LoadBook book = new LoadBook(TestBudgets.heap());

    private Rig life(PolicySet policies, int task, int tasks) {
        Rig rig = new Rig(state, windows, book, TaskSettings.of(task, tasks, 1));
        rig.policies(policies);
        return rig;
    }

    private static UsageKey group(int route) {
        return Group.of(POLICY, POLICY.per().subList(1, 2)).key(List.of("s" + route));
    }

    private List<Integer> known() {
        return IntStream.range(0, 200)
                .filter(route -> book.load(group(route)) != null)
                .boxed()
                .toList();
    }

    private static void routes(Rig rig, int from, int to, long time) {
        for (int route = from; route < to; route++) {
            rig.event(TestEvents.admitted("acme", "s" + route, time));
        }
    }

    @Test
    void loadsOfAnEarlierLife_areWithdrawnAfterTheirWindow() {
        routes(life(SHARE, 0, 1), 0, 100, TIME);
        assertThat(known()).hasSize(100);

        Rig second = life(SHARE, 0, 1);
        routes(second, 100, 101, TIME + 1_000);
        assertThat(known()).hasSize(101);
        second.passed(TIME + 200_000);

        assertThat(known()).isEmpty();
    }

    @Test
    void loadsOfAPolicyThatIsGone_areWithdrawnAfterTheLongestWindow() {
        routes(life(SHARE, 0, 1), 0, 100, TIME);

        Rig second = life(TestPolicies.above(5), 0, 1);
        second.admit("acme", 1, TIME + LONGEST_MILLIS);
        assertThat(known()).hasSize(100);
        second.passed(TIME + LONGEST_MILLIS + 20_000);

        assertThat(known()).isEmpty();
    }

    @Test
    void loadsOfOtherTasks_stay() {
        routes(life(SHARE, 0, 1), 0, 100, TIME);

        life(SHARE, 1, 3).passed(TIME + 1_000).passed(TIME + 200_000);

        assertThat(known())
                .isEqualTo(IntStream.range(0, 100)
                        .filter(route -> Partitions.of(group(route).partitionKey(), 3) != 1)
                        .boxed()
                        .toList());
    }

    /** Two instances at once: what the former owner published last reaches the new one after it has begun. */
    @Test
    void loadsThatArriveLate_areWithdrawnToo() {
        Rig former = life(SHARE, 0, 1);
        Rig second = life(SHARE, 0, 1);
        second.passed(TIME);
        routes(former, 0, 10, TIME + 1_000);
        assertThat(known()).hasSize(10);

        for (long now = TIME; now < TIME + 900_000; now += 5_000) {
            second.passed(now);
        }

        assertThat(known()).isEmpty();
    }

    /** A watch is published by the task of its subject, and withdrawn by the task that its own key belongs to. */
    @Test
    void watchThatWasRenewed_staysUntilItsNewEnd() {
        UsageKey subject = IntStream.range(0, 1_000)
                .mapToObj(i -> new UsageKey(POLICY.revision(), List.of("caller-" + i, "orders")))
                .filter(key -> Partitions.of(key.partitionKey(), 2) == 0
                        && Partitions.of(watch(key).partitionKey(), 2) == 1)
                .findFirst()
                .orElseThrow();
        Rig watching = new Rig(state, windows, book, TaskSettings.of(0, 2, 4));
        Rig other = new Rig(new InMemoryLeaseStore(), new InMemoryWindowStore(), book, TaskSettings.of(1, 2, 4));
        List.of(watching, other).forEach(rig -> rig.policies(SHARE));
        othersReached(watching, TIME).passed(TIME);
        watching.task.watch(subject, TIME);
        watching.passed(TIME);
        long end = book.load(watch(subject)).asOf();
        othersReached(other, TIME + 1).passed(TIME + 1);

        watching.task.watch(subject, end - 1);
        othersReached(watching, end - 1).passed(end - 1);
        long renewed = book.load(watch(subject)).asOf();
        long between = Math.max(end + 1, TIME + 10_001);
        assertThat(renewed).isGreaterThan(between);
        othersReached(other, between).passed(between);

        assertThat(book.load(watch(subject))).isNotNull();
        othersReached(other, renewed + 10_001).passed(renewed + 10_001);
        assertThat(book.load(watch(subject))).isNull();
    }

    private static UsageKey watch(UsageKey subject) {
        List<String> elements = new ArrayList<>(List.of(subject.policyRevision()));
        elements.addAll(subject.subject());
        return new UsageKey("$watch", elements);
    }

    /** The number of active subjects of a policy, reported once a minute for more than a day, stays known all the time. */
    @Test
    void numbersOfActiveSubjects_stayAsLongAsTheyAreReported() {
        Rig rig = life(SHARE, 0, 1);
        long now = TIME;
        for (; now < TIME + LONGEST_MILLIS + 1_200_000; now += 10_000) {
            if ((now - TIME) % 60_000 == 0) {
                reportActive(rig, now);
            }
            rig.passed(now);
            assertThat(book.load(ActiveTotals.key(POLICY.revision())))
                    .as("after %d s", (now - TIME) / 1_000)
                    .isNotNull();
        }

        rig.policies(TestPolicies.above(5));
        rig.passed(now + LONGEST_MILLIS).passed(now + LONGEST_MILLIS + 1_200_000);
        assertThat(book.load(ActiveTotals.key(POLICY.revision()))).isNull();
    }

    private static void reportActive(Rig rig, long time) {
        DistinctValues values = DistinctHash.UNKEYED.none();
        values.addHash(1);
        long pane = POLICY.window().paneOf(time);
        rig.task.partial(
                ActiveTotals.key(POLICY.revision()),
                new UsagePartial(false, pane, 0, 0, 0, time, time, new Origin(0, 1), 0, 0, new Values(values.encode())),
                time);
    }

    /** Watches of locked subjects are withdrawn when they have ended, whichever epoch of the task added them. */
    @Test
    void watchesOfAnEarlierLife_areWithdrawnAfterTheirEnd() {
        PolicySet above = TestPolicies.above(80);
        watching(above).admit("acme", 100, TIME);
        List<UsageKey> watches = new ArrayList<>();
        book.changes(WatchKeys::is).drain((key, load) -> watches.add(key));
        assertThat(watches).isNotEmpty();

        Rig second = watching(above);
        for (long now = TIME; now < TIME + 4_000_000; now += 5_000) {
            othersReached(second, now).passed(now);
        }

        assertThat(watches).allSatisfy(key -> assertThat(book.load(key)).isNull());
    }

    /** One of four meters, and the task. */
    private Rig watching(PolicySet policies) {
        Rig rig = new Rig(state, windows, book, TaskSettings.of(0, 1, 4));
        rig.policies(policies);
        return rig;
    }

    private static Rig othersReached(Rig rig, long position) {
        for (int meter = 1; meter < 4; meter++) {
            rig.task.position(new MeterPosition(position, new Origin(meter, 1), 0));
        }
        return rig;
    }
}

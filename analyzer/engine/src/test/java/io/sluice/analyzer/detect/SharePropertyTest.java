package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.ExactSlidingLog;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.LoadTotals;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several meters, each with a part of the events and each at another place; a load may be late to arrive, too. */
class SharePropertyTest {
    private static final long START = 1_763_700_000_000L;
    private static final long WINDOW = 10_000;
    private static final long PANE = 500;
    private static final int METERS = 3;
    private static final PolicySet POLICIES = TestPolicies.policies("{'name':'s','per':['caller'],'window':'10s',"
            + "'panes':20,'lock':{'when':[{'share':'40%','of':[],'beyond':50}]}}");

    private final ExactSlidingLog exact = new ExactSlidingLog();
    private final Counts counts = new Counts();
    private final LoadBook book = new LoadBook(TestBudgets.heap());
    private final LoadTotals totals = new LoadTotals(
            new Windows(new InMemoryWindowStore(), 'g', TestBudgets.windows(100)),
            new Histories<>(new InMemoryWindowStore(), 'h', TestBudgets.windows(100), Baseline::decode),
            65_000,
            METERS,
            new LoadBook(TestBudgets.heap()),
            group -> true,
            TestBudgets.task(),
            counts);
    private final Detection detection = new Detection(
            new Windows(new InMemoryWindowStore(), 's', TestBudgets.windows(8)),
            new DetectorState(new InMemoryWindowStore(), TestBudgets.windows(8), key -> false, counts),
            book,
            new Watches(METERS, key -> false, this::watch),
            65_000,
            TestBudgets.task(),
            counts);
    private final List<Meter> meters = new ArrayList<>();
    private final List<Queue<RequestEvent>> logs = new ArrayList<>();
    private final Queue<Load> underway = new ArrayDeque<>();
    private final List<Finding> findings = new ArrayList<>();
    private final LoadBook.Changes changes = book.changes(group -> true);

    private void start() {
        totals.policies(POLICIES);
        detection.policies(POLICIES);
        for (int i = 0; i < METERS; i++) {
            Meter meter = TestBudgets.meter(i, METERS);
            meter.policies(POLICIES);
            meters.add(meter);
            logs.add(new ArrayDeque<>());
        }
    }

    private void write(Random random, String caller, long time) {
        exact.add(caller, time, 1);
        logs.get(random.nextInt(METERS)).add(TestEvents.admitted(caller, time));
    }

    /** One meter reads on, at most to {@code upTo}, and tells how far it came. */
    private void read(int meter, int most, long upTo, long now) {
        Queue<RequestEvent> log = logs.get(meter);
        long position = upTo;
        for (int i = 0; i < most && !log.isEmpty() && log.element().time() <= upTo; i++) {
            meters.get(meter).add(log.remove());
        }
        if (!log.isEmpty() && log.element().time() <= upTo) {
            // events of the same millisecond may be left
            position = log.element().time() - 1;
        }
        meters.get(meter).drainAll((key, partial) -> take(key, partial, now));
        totals.position(meters.get(meter).position(position));
    }

    private void take(UsageKey key, UsagePartial partial, long now) {
        if (partial.load()) {
            totals.partial(key, partial);
        } else {
            detection.partial(key, partial, totals.late(partial), now, this::judge);
        }
    }

    private void watch(UsageKey subject, long end) {
        meters.forEach(meter -> meter.watch(subject, end));
    }

    private void publish(Random random, long now) {
        totals.publish(new LoadSink() {
            @Override
            public void load(UsageKey group, Load load) {
                underway.add(load);
            }

            @Override
            public void gone(UsageKey group) {}
        });
        while (!underway.isEmpty() && random.nextInt(3) > 0) {
            book.accept(new UsageKey(POLICIES.policies().get(0).revision(), List.of()), underway.remove());
        }
        changes.drain((group, load) -> detection.load(group, load.asOf(), now, this::judge));
    }

    /** The share that was found must be true of all events up to the load's position, read or not. */
    private boolean judge(Finding finding, long now) {
        Load load = book.load(finding.threshold().group());
        long asOf = load.asOf();
        long current = Math.floorDiv(asOf, PANE);
        String caller = finding.key().subject().get(0);
        boolean whole = finding.crossed() >= current * PANE;
        boolean trueNow = over(caller, (current + 1) * PANE - WINDOW - 1, asOf);
        boolean trueBefore = over(caller, current * PANE - WINDOW - 1, current * PANE - 1);
        assertThat(whole ? trueNow : trueNow || trueBefore)
                .as("%s as of %d", finding, asOf)
                .isTrue();
        findings.add(finding);
        return false;
    }

    private boolean over(String caller, long after, long upTo) {
        long load = exact.sum(after, upTo);
        return load > 50 && exact.sum(caller, after, upTo) > 0.4 * load;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noShareIsFoundThatIsNotTrue(long seed) {
        Random random = new Random(seed);
        start();
        long[] reached = new long[METERS];

        for (long time = START; time < START + 60_000; time += 20) {
            boolean noisy = time > START + 20_000 && time / 5000 % 2 == 0;
            for (int i = 0; i < random.nextInt(4); i++) {
                // up to 60 % of what there is when noisy, about 30 % else
                boolean acme = random.nextInt(100) < (noisy ? 60 : 30);
                write(random, acme ? "acme" : "caller-" + random.nextInt(9), time);
            }
            int meter = random.nextInt(METERS);
            if (random.nextInt(3) == 0) {
                reached[meter] = Math.max(reached[meter], time - random.nextInt(1200));
                read(meter, random.nextInt(40), reached[meter], time);
            }
            publish(random, time);
        }

        assertThat(findings).isNotEmpty().allMatch(it -> it.key().subject().equals(List.of("acme")));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aLoadThatIsStaleIsNotAsked(long seed) {
        Random random = new Random(seed);
        start();
        for (long time = START; time < START + 30_000; time += 20) {
            write(random, "acme", time);
            write(random, "caller-" + random.nextInt(3), time);
            write(random, "caller-" + random.nextInt(3), time);
            for (int meter = 0; meter < METERS; meter++) {
                // the third has stopped
                read(meter, 10, meter == 2 ? START + 500 : time, time);
            }
            publish(random, time);
        }

        assertThat(findings).isEmpty();
        assertThat(counts.of(Count.ABSTAINED)).isPositive();
    }
}

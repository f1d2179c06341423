package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.topology.ThreadPositions;
import io.sluice.benchmarks.workload.EventText;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One meter of many that are alike, because requests are spread evenly over the partitions. It is given its part of the requests, in virtual
 * time and with a heap without a bound, for more callers than a whole fleet can be simulated with.
 *
 * @param known subjects that it holds back or knows as loud at the end, in all groups of policies
 * @param heapBytes bytes that its budget charges it for those at the end
 * @param records written to the usage topic per second
 * @param partials per second
 * @param bytes written to the usage topic per second
 */
record MeterSample(int known, long heapBytes, double records, double partials, double bytes) {
    private static final long BEGIN = 1_763_700_000_000L;

    /** The scenario's events are those of the whole fleet. */
    static MeterSample of(Scenario scenario) {
        return new Run(scenario).measure();
    }

    private static final class Run {
        private final Scenario scenario;
        private final VirtualBroker broker;
        private final HeapBudget heap = new HeapBudget(1L << 50);
        private final VirtualMeter meter;
        private final SplittableRandom random = new SplittableRandom(1);
        private final EventText text = new EventText(random);
        private final LogFormat format = LogFormats.of(
                new SourceSettings("any", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of()));
        private long now = BEGIN;
        private long committed = BEGIN;
        private long events;

        Run(Scenario scenario) {
            this.scenario = scenario;
            broker = new VirtualBroker(scenario, (topic, partition, key, value) -> {});
            meter = new VirtualMeter(
                    0,
                    scenario,
                    FleetSimulation.policies(),
                    heap,
                    new LoadBook(heap),
                    new ThreadPositions(() -> now * 1_000_000),
                    new NoLoads(),
                    (key, bundle) -> broker.append(Topic.USAGE, 0, bundle.partition(), key, bundle.bytes(), now),
                    BEGIN,
                    0);
        }

        MeterSample measure() {
            run(scenario.warmUpSeconds());
            broker.measure();
            long partials = meter.partials();
            run(scenario.seconds());
            double seconds = scenario.seconds();
            Flow usage = broker.written(Topic.USAGE);
            return new MeterSample(
                    meter.known(),
                    heap.used(Account.METERS),
                    usage.records() / seconds,
                    (meter.partials() - partials) / seconds,
                    usage.bytes() / seconds);
        }

        private void run(int seconds) {
            for (long end = now + seconds * 1_000L; now < end; ) {
                now += VirtualInstance.TICK_MILLIS;
                broker.deliver();
                long until = (now - BEGIN) * scenario.eventsPerSecond() / scenario.partitions() / 1_000;
                for (; events < until; events++) {
                    event();
                }
                boolean due = now - committed >= VirtualInstance.COMMIT_MILLIS;
                if (meter.tick(now, now - VirtualInstance.TICK_MILLIS, due) && due) {
                    committed = now;
                    meter.commit(now - VirtualInstance.TICK_MILLIS);
                }
            }
        }

        private void event() {
            int caller = scenario.callers().next(random);
            byte[] name = String.format(Locale.ROOT, "c%09d", caller).getBytes(StandardCharsets.US_ASCII);
            try {
                meter.event(format.read(text.next(now, caller, name)));
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Positions of meters are not measured here. */
    private static final class NoLoads implements LoadSink {
        @Override
        public void load(UsageKey group, Load load) {}

        @Override
        public void gone(UsageKey group) {}
    }
}

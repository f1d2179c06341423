package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.budget.Account;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Series;
import java.util.ArrayList;
import java.util.List;

/** Adds the figures of simulated fleets to a report, and the resource that limits each. */
final class FleetPart {
    private static final double MEBIBYTE = 1 << 20;

    private final Report report;
    private final List<FleetFigures> all = new ArrayList<>();

    FleetPart(Report report) {
        this.report = report;
    }

    /** Adds a fleet. */
    void add(String kind, FleetFigures figures) {
        all.add(figures);
        Scenario scenario = figures.scenario();
        String prefix = "%s, %,d partitions, %d instances, %,d agents: "
                .formatted(kind, scenario.partitions(), scenario.instances(), scenario.agents());
        System.err.println(prefix.replace(":", ""));
        for (Topic topic : Topic.values()) {
            if (figures.records(topic) > 0) {
                report.add(new Series(prefix + topic.label(), "records/s", figures.records(topic)));
                report.add(new Series(prefix + topic.label(), "B/s", figures.bytes(topic)));
            }
        }
        report.add(new Series(prefix + "batches written", "batches/s", figures.batches()));
        report.add(new Series(prefix + "written by the instance that writes most", "B/s", figures.mostWritten()));
        report.add(new Series(prefix + "read by an instance", "B/s", figures.bytesPerInstance()));
        report.add(new Series(prefix + "read by an agent", "records/s", figures.recordsPerAgent()));
        report.add(new Series(prefix + "read by an agent", "B/s", figures.bytesPerAgent()));
        report.add(new Series(prefix + "read from the brokers", "B/s", figures.bytesRead()));
        report.add(new Series(prefix + "heartbeats of its decide tasks", "of a core", figures.heartbeatCore()));
        if (scenario.eventsPerSecond() > 0) {
            load(prefix, figures);
        }
        Bound tightest = Bound.tightest(figures);
        report.ratio(prefix + "most used: " + tightest, tightest.use(figures));
    }

    private void load(String prefix, FleetFigures figures) {
        report.add(new Series(prefix + "events", "events/s", figures.events()));
        report.add(new Series(prefix + "partials", "partials/s", figures.partials()));
        report.add(new Series(prefix + "commits", "commits/s", figures.commits()));
        report.add(new Series(prefix + "locks", "locks", figures.locks()));
        report.add(new Series(prefix + "subjects that meters hold", "subjects", figures.known()));
        report.add(new Series(prefix + "heap budget used", "of it", figures.budgetUsed()));
        for (Account account : Account.values()) {
            if (figures.most(account) > 0) {
                report.add(new Series(
                        prefix + "heap of " + account.label() + " in the instance with most",
                        "MiB",
                        figures.most(account) / MEBIBYTE));
            }
        }
    }

    /** The fleet that was added last. */
    FleetFigures last() {
        return all.get(all.size() - 1);
    }
}

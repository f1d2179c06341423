package io.sluice.analyzer.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.topology.DeadLetter;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySet;
import java.util.EnumSet;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Metrics without a policy: what is read, what of it is not counted and why, the lag, the agents. */
final class TaskMeters implements MeterBinder {
    private final Analyzer analyzer;

    TaskMeters(Analyzer analyzer) {
        this.analyzer = analyzer;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "sluice.events", Count.EVENTS, "request events that were read");
        counter(registry, "sluice.partials", Count.PARTIALS, "partial sums that the combiner made of them");
        counter(
                registry,
                "sluice.requests.excess",
                Count.EXCESS,
                "requests beyond what a source may report in a second, not counted");
        counter(registry, "sluice.late", Count.LATE, "events too old to be metered");
        counter(registry, "sluice.silenced", Count.SILENCED, "findings that opened nothing: too far in the past");
        counter(
                registry,
                "sluice.abstained",
                Count.ABSTAINED,
                "questions that could not be answered for lack of a load or a baseline");
        counter(
                registry,
                "sluice.spread.exceeded",
                Count.SPREAD_EXCEEDED,
                "partials of callers that more meters reported than sources.N.spread allows");
        counter(
                registry,
                "sluice.forbidden",
                Count.FORBIDDEN,
                "findings that opened nothing because an operator forbids it");
        counter(
                registry,
                "sluice.locks.other.subject",
                Count.OTHER_SUBJECT,
                "locks released since their policy counts by other attributes than when they were opened");
        counter(
                registry,
                "sluice.decisions.unrecorded",
                Count.UNRECORDED,
                "transitions left out of the decision log, since there were too many of a subject");
        counter(
                registry,
                "sluice.revision.unknown",
                Count.UNKNOWN_REVISION,
                "partials of policies that are not active");
        counter(registry, "sluice.epoch.older", Count.OLDER_EPOCH, "records of an earlier epoch of a task, dropped");
        counter(registry, "sluice.state.unreadable", Count.UNREADABLE, "stored state that could not be read");
        heap(registry);
        for (DeadLetter.Kind kind : DeadLetter.Kind.values()) {
            FunctionCounter.builder(
                            "sluice.dead.letters", analyzer, it -> it.tallies().total(Count.DEAD_LETTERS, kind.label()))
                    .description("unreadable records, moved to the dead letters")
                    .tag("reason", kind.label())
                    .register(registry);
        }
        time(registry, "sluice.lag", analyzer::lag, "how far the meters are behind the newest request");
        time(
                registry,
                "sluice.heartbeat.age",
                () -> analyzer.fleet().silence(System.nanoTime()),
                "time since the last heartbeat of the decide task that has been silent for longest");
        for (Freshness freshness : Freshness.values()) {
            Gauge.builder("sluice.agents", analyzer, it -> it.fleet().agents(freshness))
                    .description("live agents, by the freshness that they report")
                    .tag("freshness", freshness.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        FunctionCounter.builder(
                        "sluice.agents.left.out", analyzer, it -> it.fleet().agentsLeftOut())
                .description("heartbeats that were ignored because there are too many agents")
                .register(registry);
        FunctionCounter.builder(
                        "sluice.records.refused", analyzer, it -> it.fleet().recordsRefused())
                .description("locks, policies and operator records without a valid signature")
                .register(registry);
        Gauge.builder(
                        "sluice.claimed.ratio",
                        analyzer,
                        it -> it.tallies().claimed().share())
                .description("share of the newest minute's requests whose caller is only claimed: they cause no lock")
                .register(registry);
        Gauge.builder(
                        "sluice.meter.subjects",
                        analyzer,
                        it -> it.tallies().subjects().known())
                .description("subjects that meters know, held back or counted; some twice")
                .register(registry);
        Gauge.builder(
                        "sluice.meter.watched",
                        analyzer,
                        it -> it.tallies().subjects().watched())
                .description("subjects that meters count because decide tasks ask for them")
                .register(registry);
        Gauge.builder("sluice.enforcing", analyzer, TaskMeters::enforcing)
                .description("0 while the policies only report or enforcement is switched off everywhere, else 1")
                .register(registry);
        Gauge.builder(
                        "sluice.switched.off",
                        analyzer,
                        it -> it.fleet().switches().off(it.brokerTime()).size())
                .description("how many kill switches are off: for all agents, or for one")
                .register(registry);
        Gauge.builder("sluice.catching.up", analyzer, it -> it.catchingUp().isEmpty() ? 0 : 1)
                .description("1 while it reads so far behind the newest requests that nothing is locked")
                .register(registry);
        Gauge.builder("sluice.running", analyzer, it -> it.running() ? 1 : 0)
                .description("1 while all its tasks are being worked on")
                .register(registry);
    }

    private void heap(MeterRegistry registry) {
        Gauge.builder("sluice.heap.budget", analyzer, it -> it.fleet().heap().bytes())
                .description("what the state of all tasks of the process may take of the heap")
                .baseUnit("bytes")
                .register(registry);
        for (Account account : Account.values()) {
            Gauge.builder("sluice.heap.used", analyzer, it -> it.fleet().heap().used(account))
                    .description("what the state of all tasks takes of the heap, by estimate")
                    .baseUnit("bytes")
                    .tag("for", account.label())
                    .register(registry);
        }
        // windows, histories and sums are moved instead, to the store or to the next stage
        for (Account account : EnumSet.complementOf(EnumSet.of(Account.WINDOWS, Account.HISTORIES, Account.SUMS))) {
            FunctionCounter.builder("sluice.heap.refused", analyzer, it -> refused(it, account))
                    .description("objects that were left out because the heap budget was used up")
                    .tag("for", account.label())
                    .register(registry);
        }
    }

    private static double refused(Analyzer analyzer, Account account) {
        return account == Account.LOADS
                ? analyzer.fleet().loads().leftOut()
                : analyzer.tallies().total(Count.NO_ROOM, account.label());
    }

    private static double enforcing(Analyzer analyzer) {
        PolicySet set = analyzer.fleet().policies();
        boolean off = analyzer.fleet().switches().everywhere(analyzer.brokerTime());
        return off || (set != null && !set.enforce()) ? 0 : 1;
    }

    private void counter(MeterRegistry registry, String name, Count count, String what) {
        FunctionCounter.builder(name, analyzer, it -> it.tallies().total(count))
                .description(what)
                .register(registry);
    }

    private static void time(MeterRegistry registry, String name, Supplier<OptionalLong> millis, String what) {
        TimeGauge.builder(name, millis, TimeUnit.MILLISECONDS, it -> known(it.get()))
                .description(what)
                // nothing else holds the supplier
                .strongReference(true)
                .register(registry);
    }

    private static double known(OptionalLong millis) {
        return millis.isPresent() ? millis.getAsLong() : Double.NaN;
    }
}

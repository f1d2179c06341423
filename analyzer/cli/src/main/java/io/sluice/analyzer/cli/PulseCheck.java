package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.PolicyRecords;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Judges the heartbeats of analyzers and agents. */
final class PulseCheck {
    private static final long SILENT_MILLIS = 5_000;
    private static final long OFF_MILLIS = 1_000;
    private static final long TAKE_UP_MILLIS = 10_000;

    private final Pulse pulse;
    private final long now;
    private final List<Symptom> symptoms = new ArrayList<>();

    private PulseCheck(Pulse pulse, long now) {
        this.pulse = pulse;
        this.now = now;
    }

    /**
     * Returns all symptoms.
     *
     * @param skew how far a clock may be off before events suffer, in milliseconds
     * @param partitions how many gate-locks has: each needs an analyzer's task
     */
    static List<Symptom> of(Pulse pulse, long wallClock, long skew, int partitions) {
        PulseCheck check = new PulseCheck(pulse, pulse.now(wallClock));
        check.clock(skew);
        check.analyzers(partitions);
        check.policies();
        check.enforcement();
        check.symptoms.addAll(new AgentsCheck(pulse.fleet().agents(), check.now).symptoms());
        return check.symptoms;
    }

    private void clock(long skew) {
        Long ahead = pulse.ahead();
        if (ahead == null) {
            add(Symptom.warn(
                    "clock",
                    "can't be compared with the broker's: no heartbeat of an analyzer or an agent arrived",
                    "start an analyzer, and look again"));
            return;
        }
        long least = pulse.aheadAtLeast();
        // a record is read some time after it was appended, so the difference lies between these two
        long sure = least > 0 ? least : Math.min(ahead, 0);
        String found = "this machine's is " + Spans.text(Math.abs(ahead)) + (ahead < 0 ? " behind" : " ahead of")
                + " the broker's";
        if (Math.abs(ahead) <= OFF_MILLIS) {
            add(Symptom.ok("clock", found));
        } else if (Math.abs(sure) <= OFF_MILLIS) {
            add(Symptom.ok(
                    "clock",
                    "no difference from the broker's was found, to within " + Spans.text(ahead - least)
                            + ": heartbeats arrive late here"));
        } else if (Math.abs(sure) <= skew) {
            add(Symptom.warn("clock", found, "let NTP set the clocks of brokers and services"));
        } else {
            add(Symptom.fail(
                    "clock",
                    found + ", more than analyzer.skew (" + Spans.text(skew) + ") allows for",
                    "let NTP set the clocks of brokers and services: events with a wrong time count at another moment, or as"
                            + " late"));
        }
    }

    private void analyzers(int partitions) {
        List<Integer> silent = new ArrayList<>();
        Map<Integer, Appended<AnalyzerHeartbeat>> analyzers = pulse.fleet().analyzers();
        TreeSet<String> instances = new TreeSet<>();
        TreeSet<String> crowded = new TreeSet<>();
        for (int partition = 0; partition < partitions; partition++) {
            @Nullable Appended<AnalyzerHeartbeat> beat = analyzers.get(partition);
            if (beat == null || now - beat.append() > SILENT_MILLIS) {
                silent.add(partition);
            } else {
                instances.add(beat.record().instance());
                if (beat.record().refused() > 0) {
                    crowded.add(beat.record().instance());
                }
            }
        }
        if (!crowded.isEmpty()) {
            add(Symptom.warn(
                    "memory",
                    "the heap budget of " + String.join(", ", crowded)
                            + " was used up: some groups, loads, watches, candidates or locks were left out, or quiet callers were"
                            + " not held back",
                    "give it more heap (JAVA_OPTS=-Xmx…) or more instances; sluice_heap_refused_total counts by kind"));
        }
        if (silent.isEmpty()) {
            add(Symptom.ok("analyzer", "each partition has a task with heartbeats: " + String.join(", ", instances)));
        } else {
            add(Symptom.fail(
                    "analyzer",
                    silent.size() == partitions
                            ? "no heartbeat for " + Spans.text(SILENT_MILLIS)
                                    + ": no new locks are made, and existing ones run out"
                            : "no task decides for partitions " + silent + " of " + partitions,
                    "start './sluice analyzer'; the log of a running one shows what it waits for. Manual control works without it:"
                            + " './sluice locks add', './sluice locks release'"));
        }
    }

    private void policies() {
        PolicyRecords records = pulse.fleet().policyRecords();
        PolicySet set = records.active();
        Appended<String> desired = records.desired();
        if (!records.problem().isEmpty()) {
            add(Symptom.fail("policies", records.problem(), "'./sluice policies apply FILE' with a good set"));
        } else if (set == null) {
            add(Symptom.fail(
                    "policies",
                    "none are in force: nothing is counted or locked",
                    "'./sluice policies apply FILE', while an analyzer runs"));
        } else if (set.policies().isEmpty()) {
            add(Symptom.warn(
                    "policies",
                    "the set in force (" + set.revision() + ") is empty",
                    "'./sluice policies apply FILE'"));
        } else {
            add(Symptom.ok(
                    "policies",
                    Spans.grouped(set.policies().size()) + " in force, revision " + set.revision()
                            + (set.enforce() ? "" : "; enforce: false, so they only report")));
        }
        if (desired != null
                && (set == null || !desired.record().equals(set.revision()))
                && now - desired.append() > TAKE_UP_MILLIS) {
            add(Symptom.fail(
                    "policies",
                    "what was applied " + Spans.text(now - desired.append()) + " ago (" + desired.record()
                            + ") is not in force",
                    "the analyzer's log and './sluice policies check FILE' show why it was refused"));
        }
    }

    private void enforcement() {
        for (KillSwitches.Off off : pulse.fleet().switchedOff(now)) {
            String agent = off.agent() == null ? "" : " --agent " + off.agent();
            add(Symptom.warn(
                    "enforcement",
                    EnforcementText.line(off, now),
                    "'./sluice enforce on" + agent + " --reason …', when the reason is gone"));
        }
        PolicySet set = pulse.fleet().policies();
        if (set != null && !set.enforce() && !set.policies().isEmpty()) {
            add(Symptom.warn(
                    "enforcement",
                    "the policies only report (enforce: false): nothing is rejected",
                    "'./sluice policies apply FILE' with enforce: true, when they are to reject"));
        } else if (set != null && pulse.fleet().switchedOff(now).isEmpty()) {
            add(Symptom.ok("enforcement", "on"));
        }
    }

    private void add(Symptom symptom) {
        symptoms.add(symptom);
    }
}

package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Writes the locks and operators' records of some subjects as JSON. */
final class LockSummaries {
    private final List<Appended<GateLock>> locks;
    private final List<Appended<OperatorRecord>> operators;

    LockSummaries(FleetState fleet, long now) {
        // a mode of a later version only reports, and can't be written
        locks = fleet.locks(now).stream()
                .filter(said -> said.record().mode() != Mode.UNKNOWN)
                .toList();
        operators = fleet.operators(now).stream()
                .sorted(Comparator.comparing(said -> !(said.record() instanceof OperatorRecord.Lock)))
                .toList();
    }

    private static List<String> key(GateLock lock) {
        return GateKeys.of(lock);
    }

    /** Writes a summary of each: {@code {"policy":"noisy","mode":"block","by":"analyzer"}}. */
    void brief(Predicate<List<String>> keys, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart("locks");
        for (Appended<GateLock> said : locks) {
            if (keys.test(key(said.record()))) {
                brief(said.record().policy(), said.record().mode().spelling(), "analyzer", to);
            }
        }
        for (Appended<OperatorRecord> said : operators) {
            if (keys.test(OperatorJson.key(said.record()))) {
                String mode = said.record() instanceof OperatorRecord.Lock lock
                        ? lock.mode().spelling()
                        : "released";
                brief(
                        OperatorJson.key(said.record()).get(0),
                        mode,
                        said.record().author(),
                        to);
            }
        }
        to.writeEndArray();
    }

    private static void brief(String policy, String mode, String by, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("policy", policy);
        to.writeStringField("mode", mode);
        to.writeStringField("by", by);
        to.writeEndObject();
    }

    /** Writes how many there are of each, and in full the newest: at most {@code limit} locks of analyzers and as many operators' records. */
    void newest(int limit, JsonGenerator to) throws IOException {
        to.writeNumberField("total", locks.size());
        to.writeNumberField(
                "guarded",
                locks.stream().filter(said -> said.record().guarded()).count());
        to.writeNumberField("operatorTotal", operators.size());
        to.writeNumberField(
                "operatorLocks",
                operators.stream()
                        .filter(said -> said.record() instanceof OperatorRecord.Lock)
                        .count());
        whole(first(limit, locks), first(limit, operators), to);
    }

    private static <T> List<T> first(int limit, List<T> all) {
        return all.subList(0, Math.min(limit, all.size()));
    }

    /** Writes each in full, as under {@code /locks}. */
    void whole(Predicate<List<String>> keys, JsonGenerator to) throws IOException {
        whole(
                locks.stream().filter(lock -> keys.test(key(lock.record()))).toList(),
                operators.stream()
                        .filter(operator -> keys.test(OperatorJson.key(operator.record())))
                        .toList(),
                to);
    }

    private static void whole(
            List<Appended<GateLock>> locks, List<Appended<OperatorRecord>> operators, JsonGenerator to)
            throws IOException {
        to.writeArrayFieldStart("locks");
        for (Appended<GateLock> lock : locks) {
            Answer.record(GateLockJson.write(lock.record()), lock.append(), to);
        }
        to.writeEndArray();
        to.writeArrayFieldStart("operator");
        for (Appended<OperatorRecord> operator : operators) {
            FleetAnswers.operator(operator, to);
        }
        to.writeEndArray();
    }
}

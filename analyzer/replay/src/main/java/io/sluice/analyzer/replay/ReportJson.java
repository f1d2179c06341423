package io.sluice.analyzer.replay;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.contract.lock.Evidence;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The result for programs. */
public final class ReportJson {
    private static final int TOP = 20;

    private ReportJson() {}

    private record Report(
            long events,
            long deadLetters,
            long outOfOrder,
            long from,
            long to,
            List<PolicyName> policies,
            List<Lock> locks,
            @Nullable List<Missed> missed,
            @Nullable List<Change> changes,
            List<Callers.Caller> topCallers,
            Timeline.@Nullable Steps timeline,
            List<DeadLetters.Reason> deadLetterReasons,
            @Nullable Suggested suggestion,
            List<String> notes,
            long lines,
            double seconds) {}

    private record PolicyName(String name, String revision) {}

    private record Suggested(long perMinute, long perSecond, List<Callers.Caller> over, String policies) {
        static Suggested of(Suggestion suggestion) {
            return new Suggested(
                    suggestion.perMinute(), suggestion.perSecond(), suggestion.over(), suggestion.policies());
        }
    }

    private record Change(
            String policy,
            List<String> subject,
            List<String> kinds,
            @Nullable Lock old,
            @JsonProperty("new") @Nullable Lock now) {
        static Change of(LockChange change) {
            ReplayLock lock = change.either().lock();
            return new Change(
                    lock.policy(),
                    lock.subject(),
                    change.kinds().stream().map(LockChange.Kind::json).toList(),
                    change.before() == null ? null : Lock.of(change.before()),
                    change.now() == null ? null : Lock.of(change.now()));
        }
    }

    private record Lock(
            String policy,
            List<String> subject,
            long at,
            long until,
            String mode,
            String detector,
            double observed,
            double threshold,
            boolean guarded,
            boolean shadow,
            boolean released,
            double sum,
            double load,
            long rejected,
            long unmatched,
            @Nullable Long detectMillis,
            @Nullable Long within,
            @Nullable Exact exact) {
        static Lock of(TriedLock tried) {
            ReplayLock lock = tried.lock();
            Evidence evidence = lock.evidence();
            OptionalLong detect = tried.detectMillis();
            Verdict verdict = tried.verdict();
            return new Lock(
                    lock.policy(),
                    lock.subject(),
                    lock.at(),
                    lock.until(),
                    lock.mode(),
                    evidence.detector(),
                    evidence.observed(),
                    evidence.threshold(),
                    lock.guarded(),
                    lock.shadow(),
                    lock.released(),
                    evidence.sum(),
                    evidence.load(),
                    tried.toll().rejected(),
                    tried.toll().unmatched(),
                    detect.isPresent() ? detect.getAsLong() : null,
                    verdict == null ? null : tried.toll().within(),
                    verdict == null ? null : Exact.of(verdict));
        }
    }

    private record Exact(
            boolean holds,
            @Nullable Long overFrom,
            @Nullable Long overUntil,
            @Nullable Double observed,
            @Nullable Double sum) {
        static Exact of(Verdict verdict) {
            Over over = verdict.over();
            Reading reading = verdict.reading();
            return new Exact(
                    verdict.holds(),
                    over == null ? null : over.from(),
                    over == null ? null : over.lastSeen(),
                    reading == null ? null : reading.observed(),
                    reading == null ? null : reading.sum());
        }
    }

    private record Missed(
            String policy,
            List<String> subject,
            String detector,
            double observed,
            double threshold,
            long from,
            long until,
            int spans) {
        static Missed of(Tried.Missed missed) {
            Over over = missed.longest();
            return new Missed(
                    over.policy(),
                    over.subject(),
                    over.detector(),
                    over.observed(),
                    over.threshold(),
                    over.from(),
                    over.lastSeen(),
                    missed.spans());
        }
    }

    /** As UTF-8. */
    public static byte[] write(ReplayResult result) {
        Tried tried = result.tried();
        Comparison comparison = result.comparison();
        Report report = new Report(
                result.events(),
                result.deadLetters().count(),
                result.outOfOrder(),
                result.from(),
                result.to(),
                tried == null
                        ? List.of()
                        : tried.set().policies().stream()
                                .map(policy -> new PolicyName(policy.name(), policy.revision()))
                                .toList(),
                tried == null ? List.of() : tried.locks().stream().map(Lock::of).toList(),
                tried == null || !tried.exact()
                        ? null
                        : tried.missed().stream().map(Missed::of).toList(),
                comparison == null
                        ? null
                        : comparison.changes().stream().map(Change::of).toList(),
                result.callers().top(TOP),
                result.timeline() == null ? null : result.timeline().steps(),
                result.deadLetters().reasons(),
                result.suggestion() == null ? null : Suggested.of(result.suggestion()),
                result.notes(),
                result.lines(),
                result.seconds());
        return RecordJson.line(report).getBytes(StandardCharsets.UTF_8);
    }
}

package io.sluice.demo.story;

import io.sluice.analyzer.output.RecordJson;
import io.sluice.contract.lock.Evidence;
import io.sluice.demo.stage.SeenLock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An outcome as JSON, for programs. Times are epoch milliseconds. */
public record Report(
        String noisyCaller,
        long requests,
        long noisyRejected,
        long neighboursRejected,
        ReactionTimes reactionMillis,
        long begin,
        long noise,
        @Nullable Long backedOff,
        Latencies neighboursLatency,
        List<Lock> locks,
        List<Gateway> gateways,
        List<String> story) {

    private record ReactionTimes(
            @Nullable Long p50, @Nullable Long max) {}

    private record Latencies(boolean shown, Percentile before, Percentile crowded, Percentile after) {}

    private record Percentile(long requests, @Nullable Double p90Millis) {
        static Percentile of(Latency latency) {
            return new Percentile(latency.requests(), latency.requests() > 0 ? latency.p90() : null);
        }
    }

    private record Gateway(String agent, @Nullable Long lockedAt) {}

    private record Lock(
            String policy,
            List<String> subject,
            String mode,
            long at,
            long since,
            long until,
            @Nullable Long released,
            @Nullable String detector,
            @Nullable Double observed,
            @Nullable Double threshold) {
        static Lock of(SeenLock lock) {
            Evidence evidence = lock.opened().evidence();
            return new Lock(
                    lock.opened().policy(),
                    lock.opened().subject(),
                    lock.opened().mode().spelling(),
                    lock.crossed(),
                    lock.opened().since(),
                    lock.until(),
                    positive(lock.released()),
                    evidence == null ? null : evidence.detector(),
                    evidence == null ? null : evidence.observed(),
                    evidence == null ? null : evidence.threshold());
        }
    }

    /** The report as UTF-8, with a line break at its end. */
    public static byte[] of(Outcome outcome) {
        boolean reacted = !outcome.reactions().isEmpty();
        Delays delays = outcome.delays();
        Report report = new Report(
                outcome.noisyCaller(),
                outcome.requests(),
                outcome.noisy().rejected(),
                outcome.neighbours().rejected(),
                new ReactionTimes(reacted ? outcome.median() : null, reacted ? outcome.slowest() : null),
                outcome.begin(),
                outcome.noise(),
                positive(outcome.quietAgain()),
                new Latencies(
                        delays.shown(),
                        Percentile.of(delays.before()),
                        Percentile.of(delays.crowded()),
                        Percentile.of(delays.after())),
                outcome.locks().stream().map(Lock::of).toList(),
                outcome.agents().stream()
                        .map(agent -> new Gateway(agent, lockedAt(agent, outcome)))
                        .toList(),
                Story.of(outcome));
        return (RecordJson.indented(report) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable Long lockedAt(String agent, Outcome outcome) {
        return outcome.reactions().stream()
                .filter(reaction -> reaction.agent().equals(agent))
                .map(Reaction::lockedAt)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Long positive(long time) {
        return time > 0 ? time : null;
    }
}

package io.sluice.analyzer.main;

import io.sluice.analyzer.main.Verdicts.Verdict;
import io.sluice.analyzer.window.StoredWindows;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Window;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What came of a run.
 *
 * @param kills when the analyzers were killed, epoch milliseconds
 * @param commitPause the longest time in which meters read without a commit, milliseconds
 * @param events how many stand on the requests topic
 * @param exact their sums
 * @param sent what the meters made of them
 * @param counted what the decide tasks made of that
 * @param disarmed whose locks closed a gate at first and then only reported
 * @param due how many callers had to be locked at some time
 * @param missed which of them were not
 */
record KillReport(
        KillRun.Plan plan,
        List<Long> kills,
        long commitPause,
        long events,
        Sums exact,
        Sums sent,
        Sums counted,
        long paneMillis,
        List<Verdict> verdicts,
        List<String> disarmed,
        long due,
        List<String> missed) {
    private static final double NEAR = 0.9 * KillRun.LIMIT;

    /** Sums of callers and panes. */
    record Sums(Map<LoggedRequests.Pane, Long> panes) {
        /** By how much it is over another one, where it is. */
        long over(Sums other) {
            return panes.entrySet().stream()
                    .mapToLong(it -> Math.max(0, it.getValue() - other.of(it.getKey())))
                    .sum();
        }

        private long of(LoggedRequests.Pane pane) {
            return panes.getOrDefault(pane, 0L);
        }
    }

    static Sums counted(List<ConsumerRecord<byte[], byte[]>> changelog, Window window, long slackMillis) {
        StoredWindows stored = new StoredWindows(window, slackMillis);
        try {
            for (ConsumerRecord<byte[], byte[]> record : changelog) {
                if (StoredWindows.ofSubject(record.key(), record.value())) {
                    stored.read(record.key(), record.value());
                }
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
        Map<LoggedRequests.Pane, Long> panes = new HashMap<>();
        stored.admitted()
                .forEach((key, sums) -> sums.forEach((pane, sum) ->
                        panes.put(new LoggedRequests.Pane(key.subject().get(0), pane), sum)));
        return new Sums(panes);
    }

    /** Locks of callers that were not over, and not even near it. */
    List<Verdict> wrongAndFar() {
        return verdicts.stream().filter(it -> !it.right() && it.exact() < NEAR).toList();
    }

    /**
     * Locks of callers that were not over even with what was counted twice of them: a promise is about callers under a part of their
     * limit, and how much of a caller falls into the time since the last commit differs from caller to caller.
     */
    List<Verdict> unexplained() {
        long window = plan.windowMillis();
        return verdicts.stream()
                .filter(it -> !it.right()
                        && it.exact() + twice(it.caller(), it.crossed() - window, it.crossed()) <= KillRun.LIMIT)
                .toList();
    }

    private long twice(String caller, long after, long until) {
        return LongStream.rangeClosed(Math.floorDiv(after, paneMillis), Math.floorDiv(until, paneMillis))
                .mapToObj(number -> new LoggedRequests.Pane(caller, number))
                .mapToLong(pane -> Math.max(0, counted.of(pane) - exact.of(pane)))
                .sum();
    }

    /** What the meters sent twice at a kill, in the mean, as a part of the events of one window. */
    double sentTwice() {
        long first = exact.panes.keySet().stream()
                .mapToLong(LoggedRequests.Pane::number)
                .min()
                .orElseThrow();
        long last = exact.panes.keySet().stream()
                .mapToLong(LoggedRequests.Pane::number)
                .max()
                .orElseThrow();
        double ofAWindow = events / ((last - first + 1.0) * paneMillis) * plan.windowMillis();
        return sent.over(exact) / ofAWindow / kills.size();
    }

    /** Locks of callers that were not over, but at 90 % of the limit or more. */
    List<Verdict> wrongButNear() {
        return verdicts.stream().filter(it -> !it.right() && it.exact() >= NEAR).toList();
    }

    long guarded() {
        return verdicts.stream().filter(Verdict::guarded).count();
    }

    /** How many events were counted twice, for each kill in order: those of the time before it. */
    List<Long> doubledAtKills() {
        TreeMap<Long, Long> doubled = new TreeMap<>();
        kills.forEach(kill -> doubled.put(kill, 0L));
        counted.panes.forEach((pane, sum) -> {
            Long kill = doubled.ceilingKey(pane.number() * paneMillis);
            long more = sum - exact.of(pane);
            if (more > 0) {
                doubled.merge(kill == null ? doubled.lastKey() : kill, more, Long::sum);
            }
        });
        return List.copyOf(doubled.values());
    }

    static String head() {
        return """
                | guarantee | killed and | kills | events | counted twice at a kill: mean | most | locks | wrong, under 90 % \
                | wrong, 90 to 100 % | had to be locked | missed | opened as a guard's shadow | given back to the guard |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                """;
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "| %s, commit %d ms | %s | %d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d |%n",
                plan.guarantee(),
                plan.commitMillis(),
                plan.kills().get(0),
                kills.size(),
                events,
                counted.over(exact) / kills.size(),
                Collections.max(doubledAtKills()),
                verdicts.size(),
                wrongAndFar().size(),
                wrongButNear().size(),
                due,
                missed.size(),
                guarded(),
                disarmed.size());
    }
}

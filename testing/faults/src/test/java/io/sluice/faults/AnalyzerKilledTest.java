package io.sluice.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Heartbeats;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.history.UsageRecords;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The analyzer is killed at random points while callers call. A hundred of them call almost as often as they may in a window that
 * holds all the kills: what is counted twice locks them, what is lost lets them off.
 */
class AnalyzerKilledTest {
    private static final int KILLS = Reliability.times(6);
    private static final int CALLERS = 100;
    private static final int MARKS = 16;
    private static final int BYSTANDERS = 400;
    private static final String CALM = "counted-calm-";
    private static final int PER_SECOND = 20;
    /** So seldom that what comes in ten seconds is a few percent of the limit: with at least once, an analyzer that stands still for so long doubles it. */
    private static final int SELDOM = 1;

    private static final long MAX_LEASE = 60_000;

    /** So often may a caller call in ten minutes: as often as it will while the analyzer is killed, and some more. */
    private static final long LIMIT = 100 + 160L * KILLS;

    private static final String POLICIES = UsualPolicies.countedAndBusyNoisy(LIMIT);

    private static final long SEED = 4;
    private static final Map<String, Object> FIGURES = new LinkedHashMap<>();
    private static FaultyBroker broker;

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private final List<Long> resumed = new ArrayList<>();

    @BeforeAll
    static void start() {
        broker = FaultyBroker.start();
    }

    @AfterAll
    static void stop() {
        broker.close();
        Reliability.tell(
                4,
                "analyzer killed at random points under load",
                "decisions resume; at least once no caller under 90 % of a limit is locked and none over it missed, "
                        + "exactly once counts are equal; no lock is lost meanwhile",
                AnalyzerKilledTest.class,
                FIGURES);
    }

    @Test
    void atLeastOnceNobodyUnderNinetyPercentIsLockedAndNobodyIsMissed() {
        try (Surroundings around = around("at-least-once");
                RequestLog log = around.log();
                CountedCallers callers = new CountedCallers(log, CALLERS)) {
            long almost = LIMIT * 85 / 100;
            killed(around, callers, SELDOM, almost);

            callers.upTo(almost);
            caughtUp(around);
            assertThat(around.notPassing(callers.names())).isEmpty();

            callers.upTo(LIMIT + 1);
            around.awaitEverywhere(callers.names(), "LOCKED:counted");
            judged(around, "at least once");
        }
    }

    @Test
    void exactlyOnceCountsAreEqual() {
        try (Surroundings around = around("exactly-once");
                RequestLog log = around.log();
                CountedCallers callers = new CountedCallers(log, CALLERS)) {
            killed(around, callers, PER_SECOND, LIMIT);

            callers.upTo(LIMIT);
            caughtUp(around);
            assertThat(around.notPassing(callers.names())).as("at the limit").isEmpty();

            callers.upTo(LIMIT + 1);
            around.awaitEverywhere(callers.names(), "LOCKED:counted");
            Invariants history = judged(around, "exactly once");
            assertThat(doubled(around)).isZero();
            assertThat(history.locks().decisions())
                    .filteredOn(it -> it.lock().policy().equals("counted"))
                    .allSatisfy(it -> assertThat(
                                    requireNonNull(it.lock().evidence()).sum())
                            .isEqualTo((double) (LIMIT + 1)));
        }
    }

    private Surroundings around(String guarantee) {
        OurTopics.make(broker.bootstrap(), guarantee + ".", 4);
        return new Surroundings(
                folder,
                broker.bootstrap(),
                guarantee + ".",
                4,
                POLICIES,
                // however far a slow machine is behind: locks open
                "guarantee: " + guarantee + ", max-lease: " + MAX_LEASE + "ms, backlog: 10m");
    }

    /** Kills it so often; each time it comes back and decides something new before the next. */
    private void killed(Surroundings around, CountedCallers callers, int perSecond, long inAll) {
        JavaProcess analyzer = around.start(around.analyzer("a"));
        around.awaitAble(0, "a");
        String[] watched = watched(callers);
        AgentProcess first = around.agent("agent-1", Map.of(), watched);
        around.agent("agent-2", Map.of(), watched);
        first.traffic(Surroundings.amongOthers("noisy-calm-", Map.of("noisy", 60)));
        around.awaitEverywhere(List.of("noisy"), "LOCKED:busy");
        // what is committed is never counted again
        callers.upTo(inAll / 2);
        around.awaitCounted();
        callers.begin(perSecond, inAll);
        for (int kill = 0; kill < KILLS; kill++) {
            Surroundings.pass(500 + random.nextInt(1_500));
            analyzer.kill();
            around.history.add(Entry.Kind.FAULT, "a", "killed");
            long begin = System.nanoTime();
            analyzer.restart();
            first.traffic(Surroundings.amongOthers("noisy-calm-", Map.of("noisy", 60, "noisy-" + kill, 60)));
            around.awaitEverywhere(List.of("noisy-" + kill), "LOCKED:busy");
            resumed.add((System.nanoTime() - begin) / 1_000_000);
        }
    }

    private static String[] watched(CountedCallers callers) {
        List<String> watched = new ArrayList<>(callers.names());
        watched.add("noisy");
        return watched.toArray(new String[0]);
    }

    /** What was stored before this is decided upon: newcomers behind it, in every partition, are locked. */
    private static void caughtUp(Surroundings around) {
        List<String> marks =
                IntStream.range(0, MARKS).mapToObj(i -> "counted-mark-" + i).toList();
        try (RequestLog log = around.log()) {
            around.bystanders(log, CALM, BYSTANDERS);
            around.awaitCounted();
            for (long call = 0; call <= LIMIT; call++) {
                long now = System.currentTimeMillis();
                marks.forEach(mark -> log.add(mark, now));
            }
            log.flush();
        }
        around.awaitEverywhere(marks, "LOCKED:counted");
        Surroundings.pass(1_000);
    }

    private Invariants judged(Surroundings around, String guarantee) {
        Invariants history = around.end();
        Heartbeats heartbeats = around.heartbeats();
        LockSpans locks = history.locks();
        assertThat(locks.spans())
                .filteredOn(span -> span.caller().equals("noisy"))
                .extracting(LockSpans.Span::agent)
                .contains("agent-1", "agent-2");
        assertThat(around.lost(locks, Set.of("noisy"), MAX_LEASE))
                .as("held through all kills")
                .isEmpty();
        assertThat(locks.spans())
                .filteredOn(span -> span.caller().startsWith("counted-"))
                .as("locked once, and never let in again")
                .hasSize(2 * CALLERS)
                .allMatch(span -> span.until() == Long.MAX_VALUE);
        assertThat(history.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(history.noFailures()).isEmpty();
        assertThat(heartbeats.backwards()).isEmpty();
        if (Reliability.all()) {
            assertThat(Collections.max(resumed)).isLessThan(10_000);
        }
        Collections.sort(resumed);
        FIGURES.put(guarantee + ": kills", KILLS);
        FIGURES.put(
                guarantee + ": a new decision on all agents after",
                resumed.get(resumed.size() / 2) + " ms (most " + resumed.get(resumed.size() - 1) + ")");
        FIGURES.put(guarantee + ": of so many calls", (CALLERS + MARKS) * (LIMIT + 1));
        FIGURES.put(guarantee + ": counted twice on their way", doubled(around));
        return history;
    }

    /** Requests that the meters have sent more often than they were made, marks included. Bystanders, with one request each, are held back. */
    private static long doubled(Surroundings around) {
        AtomicLong sent = new AtomicLong();
        TopicHistory.read(around.bootstrap, around.topics.usage(), record -> {
            try {
                UsageRecords.read(record.key(), record.value(), (key, usage) -> {
                    if (usage instanceof UsagePartial partial
                            && key.policy().equals("counted")
                            && !key.subject().get(0).startsWith(CALM)) {
                        sent.addAndGet(partial.admitted());
                    }
                });
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        });
        return sent.get() - (CALLERS + MARKS) * (LIMIT + 1);
    }
}

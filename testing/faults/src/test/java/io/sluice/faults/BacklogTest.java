package io.sluice.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The analyzer was down for an hour in which many were over their limit. It reads that hour as fast as it can: no time goes by
 * between what then took an hour. The log keeps the times at which its records were written, or there would be no such hour.
 */
class BacklogTest {
    private static final int SCALE = Reliability.all() ? 8 : 1;
    private static final int CALM = 48;
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    /** What is older than this decides nothing: {@code analyzer.backlog}. */
    private static final long OLD = 30 * SECOND;

    private static final String POLICIES = """
            guard: { subjects: 100%%, atLeast: 1000 }
            policies:
              - name: busy
                per: [caller]
                window: 10s
                panes: 20
                lock: { when: [{ above: %d }], mode: block, for: 5m }
              - name: greedy
                match: { service: orders }
                per: [caller, service]
                window: 10s
                panes: 20
                lock: { when: [{ share: 50%%, of: [service], beyond: 100 }], mode: block, for: 5m }
            """.formatted(100 * SCALE);

    @TempDir
    Path folder;

    @Test
    void nothingIsDecidedAboutThePastAndWhoIsStillOverIsLockedInThePresent() throws Exception {
        try (FaultyBroker broker = FaultyBroker.start();
                Surroundings around =
                        new Surroundings(folder, broker.bootstrap(), "b.", 2, POLICIES, "max-lease: 60s")) {
            requestsKeepTheirTimes(around);
            JavaProcess analyzer = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");
            AgentProcess agent = around.agent("agent-1", Map.of(), "still", "past", "recent", "hog", "calm");
            agent.traffic(Map.of("calm", 2));
            around.awaiting(() -> assertThat(around.read()).isPositive());
            analyzer.kill();
            around.history.add(Entry.Kind.FAULT, "a", "down for an hour");
            long events = hour(around);
            agent.traffic(Map.of("calm", 2, "still", 40 * SCALE));

            long begin = System.nanoTime();
            analyzer.restart();
            around.awaiting(
                    () -> assertThat(around.notPassing(List.of("still"))).isNotEmpty());
            long locked = (System.nanoTime() - begin) / 1_000_000;
            around.awaiting(() -> assertThat(around.read()).isGreaterThan(events));
            around.awaiting(() -> assertThat(analyzer.logged())
                    .containsPattern("catching up: \\d+ s behind the newest request")
                    .contains("caught up after "));
            Surroundings.pass(SECOND);

            assertThat(around.notPassing(List.of("past", "recent", "hog", "calm")))
                    .isEmpty();
            judge(around, events, locked);
        }
    }

    private static void requestsKeepTheirTimes(Surroundings around) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", around.bootstrap))) {
            admin.createTopics(List.of(
                            new NewTopic(around.topics.requests(), Optional.of(around.partitions), Optional.empty())
                                    .configs(Map.of("message.timestamp.type", "CreateTime"))))
                    .all()
                    .get();
        }
    }

    /** The calls of callers that are below their limit again, except the one that is still over. */
    private static long hour(Surroundings around) {
        long now = System.currentTimeMillis();
        long events = 0;
        try (RequestLog log = around.log()) {
            for (long at = now - HOUR; at < now; at += SECOND / 20) {
                for (int each = 0; each < SCALE; each++) {
                    events += call(log, "still", at, true);
                    events += call(log, "past", at, at < now - 20 * MINUTE);
                    events += call(log, "recent", at, at > now - 20 * MINUTE && at < now - OLD - 10 * SECOND);
                    for (int hog = 0; hog < 4; hog++) {
                        events += call(log, "hog", at, at > now - 40 * MINUTE && at < now - 35 * MINUTE);
                    }
                    events += call(log, "calm-" + (at / 50) % CALM, at, true);
                }
            }
            log.flush();
        }
        return events;
    }

    private static int call(RequestLog log, String caller, long at, boolean calls) {
        if (calls) {
            log.add(caller, at);
        }
        return calls ? 1 : 0;
    }

    private static void judge(Surroundings around, long events, long locked) {
        Invariants history = around.end();

        assertThat(history.locks().decisions())
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.lock().subject()).contains("still"));
        assertThat(history.locks().decisions().get(0))
                .satisfies(it -> assertThat(requireNonNull(it.lock().evidence()).crossed())
                        .isGreaterThanOrEqualTo(it.lock().since() - OLD));
        assertThat(history.locks().spans()).hasSize(1).allMatch(span -> span.until() == Long.MAX_VALUE);
        assertThat(history.noLockOutlivesItsLease(MINUTE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(history.noFailures()).isEmpty();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("calls of the hour", events);
        figures.put("from the restart to the lock of a caller still over", locked + " ms");
        figures.put("locks of others", 0);
        Reliability.tell(
                16,
                "an hour of backlog read at full speed after an outage",
                "no lock about the past; a caller still over is locked when the present is reached",
                BacklogTest.class,
                figures);
    }
}

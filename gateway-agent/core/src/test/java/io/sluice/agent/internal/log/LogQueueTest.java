package io.sluice.agent.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LogQueueTest {
    private static final long MS = 1_000_000;

    private final List<RequestEvent> out = new ArrayList<>();
    private final Coalescer coalescer = new Coalescer(250 * MS, 2, out::add);

    private static RequestEvent event(long time, String caller, Outcome outcome, long bytes) {
        return new RequestEvent(
                time,
                caller,
                "orders",
                "/a",
                "GET",
                null,
                outcome.rejected() ? 429 : 200,
                bytes,
                10,
                "agent-1",
                outcome,
                1,
                Identity.AUTHENTICATED,
                Map.of());
    }

    @Test
    void whatDoesNotFitIsDroppedAndCounted() {
        LogQueue log = new LogQueue(3);
        for (int i = 0; i < 10; i++) {
            log.put(event(i, "acme", Outcome.ALLOWED, 1));
        }
        assertThat(log.logged()).isEqualTo(10);
        assertThat(log.drops()).isEqualTo(7);
    }

    @Test
    void takingMakesRoom() {
        LogQueue log = new LogQueue(1);
        log.put(event(1, "acme", Outcome.ALLOWED, 1));
        assertThat(log.take()).isNotNull();
        log.put(event(2, "acme", Outcome.ALLOWED, 1));
        assertThat(log.drops()).isZero();
    }

    @Test
    void manyThreadsLoseNothingUncounted() throws InterruptedException {
        LogQueue log = new LogQueue(100);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < 10_000; i++) {
                    log.put(event(i, "acme", Outcome.ALLOWED, 1));
                }
            }));
        }
        threads.forEach(Thread::start);
        long taken = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            taken += log.take() == null ? 0 : 1;
        }
        for (Thread thread : threads) {
            thread.join();
        }
        while (log.take() != null) {
            taken++;
        }
        assertThat(taken + log.drops()).isEqualTo(40_000);
    }

    @Test
    void whatPassedLeavesAtOnce() {
        coalescer.add(event(1, "acme", Outcome.ALLOWED, 5), 0);
        assertThat(out).containsExactly(event(1, "acme", Outcome.ALLOWED, 5));
    }

    @Test
    void rejectionsOfOneKindBecomeOneEntry() {
        coalescer.add(event(1, "acme", Outcome.LOCKED, 5), 0);
        coalescer.add(event(3, "acme", Outcome.LOCKED, 7), 100 * MS);
        coalescer.add(event(2, "acme", Outcome.LOCKED, 1), 200 * MS);
        coalescer.flushDue(250 * MS);
        assertThat(out).hasSize(1);
        assertThat(out.get(0).count()).isEqualTo(3);
        assertThat(out.get(0).bytes()).isEqualTo(13);
        assertThat(out.get(0).micros()).isEqualTo(30);
        assertThat(out.get(0).time()).isEqualTo(3);
    }

    @Test
    void aRejectionWaitsForItsWindow() {
        coalescer.add(event(1, "acme", Outcome.LOCKED, 5), 0);
        coalescer.flushDue(250 * MS - 1);
        assertThat(out).isEmpty();
        coalescer.flushDue(250 * MS);
        assertThat(out).hasSize(1);
    }

    @Test
    void rejectionsThatDifferStayApart() {
        coalescer.add(event(1, "acme", Outcome.LOCKED, 5), 0);
        coalescer.add(event(1, "acme", Outcome.LIMITED, 5), 0);
        coalescer.flush();
        assertThat(out).hasSize(2);
    }

    @Test
    void theOldestKindLeavesForANewOne() {
        coalescer.add(event(1, "a", Outcome.LOCKED, 5), 0);
        coalescer.add(event(1, "b", Outcome.LOCKED, 5), 1);
        coalescer.add(event(1, "c", Outcome.LOCKED, 5), 2);
        assertThat(out).extracting(RequestEvent::caller).containsExactly("a");
        coalescer.flush();
        assertThat(out).extracting(RequestEvent::caller).containsExactly("a", "b", "c");
    }
}

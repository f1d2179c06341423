package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.MS;
import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TurnPacerTest {
    private final long origin = System.nanoTime();
    private final LongSupplier clock = this::now;
    private final LeakyBucket bucket = new LeakyBucket();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    TurnPacerTest() {
        timer.setRemoveOnCancelPolicy(true);
        bucket.settle(new Pace(1, 0), false, 0);
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    private TurnPacer pacer(long interval, long maxWait) {
        return new TurnPacer(bucket, new Pace(interval, maxWait), clock, timer);
    }

    @Test
    void turnsComeAtThePace() {
        TurnPacer pacer = pacer(20 * MS, SECOND);
        List<Long> times = new ArrayList<>();
        List<CompletableFuture<Boolean>> turns = new ArrayList<>();
        long start = clock.getAsLong();
        for (int i = 0; i < 5; i++) {
            CompletionStage<Boolean> turn = pacer.whenAdmitted();
            turns.add(turn.thenApply(admitted -> {
                        synchronized (times) {
                            times.add(clock.getAsLong() - start);
                        }
                        return admitted;
                    })
                    .toCompletableFuture());
        }
        turns.forEach(turn -> assertThat(turn.join()).isTrue());
        for (int i = 0; i < 5; i++) {
            assertThat(times.get(i)).isGreaterThanOrEqualTo(20 * MS * i);
        }
    }

    @Test
    void noMoreWaitThanFitIntoTheLongestWait() {
        TurnPacer pacer = pacer(600 * SECOND, 1800 * SECOND);
        List<CompletableFuture<Boolean>> turns = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            turns.add(pacer.whenAdmitted());
        }
        assertThat(turns.stream().filter(it -> !it.isDone())).hasSize(3);
        assertThat(turns.get(0).join()).isTrue();
        assertThat(turns.get(4).join()).isFalse();
        assertThat(timer.getQueue()).hasSize(3);
    }

    @Test
    void whoeverIsLastAndCancelsGivesItsTurnBack() {
        TurnPacer pacer = pacer(600 * SECOND, 600 * SECOND);
        assertThat(pacer.whenAdmitted().join()).isTrue();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Boolean> turn = pacer.whenAdmitted();
            assertThat(turn).isNotDone();
            turn.cancel(false);
        }
        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void theTurnOfWhoeverIsNotLastPassesUnused() {
        TurnPacer pacer = pacer(600 * SECOND, 1200 * SECOND);
        assertThat(pacer.whenAdmitted().join()).isTrue();
        CompletableFuture<Boolean> second = pacer.whenAdmitted();
        CompletableFuture<Boolean> third = pacer.whenAdmitted();
        second.cancel(false);
        assertThat(pacer.whenAdmitted().join()).isFalse();
        assertThat(third).isNotDone();
    }

    @Test
    void whoBlocksReturnsAtItsTurn() throws InterruptedException {
        TurnPacer pacer = pacer(30 * MS, SECOND);
        long start = clock.getAsLong();
        assertThat(pacer.await()).isTrue();
        assertThat(pacer.await()).isTrue();
        assertThat(clock.getAsLong() - start).isGreaterThanOrEqualTo(30 * MS);
    }

    @Test
    void whoWouldBlockTooLongIsToldAtOnce() throws InterruptedException {
        TurnPacer pacer = pacer(600 * SECOND, SECOND);
        assertThat(pacer.await()).isTrue();
        assertThat(pacer.await()).isFalse();
    }

    @Test
    void whoIsInterruptedGivesItsTurnBack() throws InterruptedException {
        TurnPacer pacer = pacer(600 * SECOND, 600 * SECOND);
        pacer.await();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                pacer.await();
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        waiting.start();
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        assertThat(pacer.whenAdmitted().join()).isFalse();
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(pacer.whenAdmitted()).isNotDone();
    }

    @Test
    void aTimerThatIsShutDownTakesNoTurn() {
        TurnPacer pacer = pacer(600 * SECOND, 600 * SECOND);
        assertThat(pacer.whenAdmitted().join()).isTrue();
        timer.shutdownNow();
        assertThatThrownBy(pacer::whenAdmitted).isInstanceOf(RejectedExecutionException.class);
        assertThat(bucket.take(new Pace(600 * SECOND, 600 * SECOND), clock.getAsLong()))
                .isNotNegative();
    }

    @Test
    void aTimerThatKeepsWhatIsCancelledIsRefused() {
        timer.setRemoveOnCancelPolicy(false);
        assertThatThrownBy(() -> pacer(1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}

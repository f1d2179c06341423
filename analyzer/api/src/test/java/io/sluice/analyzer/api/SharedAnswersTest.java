package io.sluice.analyzer.api;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
    private final AtomicLong nanos = new AtomicLong(7);
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final AtomicInteger calculated = new AtomicInteger();
    private final List<Answer> given = new ArrayList<>();
    private final SharedAnswers shared = new SharedAnswers(new Semaphore(2), nanos::get);

    private void ask(String key) {
        ask(key, 10);
    }

    private void ask(String key, int length) {
        shared.give(
                key,
                tasks::add,
                () -> new Answer(200, key + calculated.incrementAndGet() + "x".repeat(length)),
                given::add);
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void sameQuestionOf500Clients_isCalculatedOnce() {
        for (int i = 0; i < 500; i++) {
            ask("/status");
        }
        assertThat(tasks).hasSize(1);
        assertThat(given).isEmpty();
        work();

        assertThat(calculated).hasValue(1);
        assertThat(given).hasSize(500).containsOnly(given.get(0));
    }

    @Test
    void answer_isGivenAgainForHalfASecond() {
        ask("/status");
        work();
        nanos.addAndGet(SharedAnswers.AGE_NANOS - 1);
        ask("/status");
        assertThat(given).hasSize(2);
        nanos.addAndGet(1);
        ask("/status");
        work();

        assertThat(calculated).hasValue(2);
        assertThat(given.get(2)).isNotEqualTo(given.get(0));
    }

    @Test
    void questionBeyondTheTurns_gets503AndIsCalculatedLater() {
        ask("/a");
        ask("/b");
        ask("/c");

        assertThat(given).extracting(Answer::status).containsExactly(503);
        work();
        ask("/c");
        work();
        assertThat(given).extracting(Answer::status).containsExactly(503, 200, 200, 200);
    }

    @Test
    void clientsBeyondTheWaiting_get503() {
        for (int i = 0; i < SharedAnswers.MOST_WAITING + 3; i++) {
            ask("/a");
        }

        assertThat(given).extracting(Answer::status).containsExactly(503, 503, 503);
        work();
        assertThat(given)
                .hasSize(SharedAnswers.MOST_WAITING + 3)
                .filteredOn(answer -> answer.status() == 200)
                .hasSize(SharedAnswers.MOST_WAITING);
    }

    @Test
    void executorThatIsShutDown_answers503AndKeepsNoTurn() {
        ExecutorService ended = Executors.newSingleThreadExecutor();
        ended.shutdownNow();

        for (int i = 0; i < 5; i++) {
            shared.give("/a" + i, ended, () -> new Answer(200, "{}"), given::add);
        }

        assertThat(given)
                .hasSize(5)
                .allSatisfy(answer -> assertThat(answer.json()).contains("the analyzer ends"));
        ask("/b");
        work();
        assertThat(given.get(5).status()).isEqualTo(200);
    }

    @Test
    void executorWithoutAThread_answers503AndKeepsNoTurn() {
        for (int i = 0; i < 5; i++) {
            shared.give(
                    "/a",
                    task -> {
                        throw new OutOfMemoryError("unable to create native thread");
                    },
                    () -> new Answer(200, "{}"),
                    given::add);
        }

        assertThat(given).hasSize(5).extracting(Answer::status).containsOnly(503);
        ask("/a");
        work();
        assertThat(given.get(5).status()).isEqualTo(200);
    }

    @Test
    void meters_countAnswersBySource_andKeptBytes() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        EventStreams events = new EventStreams(new GateEvents("gate-locks", 1), 1_000);
        new ApiMeters(shared, events).bindTo(registry);
        ask("/a");
        ask("/a");
        ask("/b");
        ask("/c");
        work();
        ask("/a");

        assertThat(registry.get("sluice.api.answers").functionCounters().stream()
                        .collect(toMap(counter -> counter.getId().getTag("source"), counter -> counter.count())))
                .isEqualTo(Map.of("calculated", 2.0, "shared", 2.0, "refused", 1.0));
        assertThat(registry.get("sluice.api.shared.bytes").gauge().value()).isEqualTo((double) shared.bytes());
        assertThat(registry.get("sluice.api.event.clients").gauge().value()).isZero();
        events.close();
    }

    @Test
    void failure_isGivenToAllWhoWait_andNotKept() {
        shared.give(
                "/a",
                tasks::add,
                () -> {
                    throw new IllegalStateException("expected by this test");
                },
                given::add);
        ask("/a");
        work();
        ask("/a");
        work();

        assertThat(given).extracting(Answer::status).containsExactly(500, 500, 200);
    }

    @Test
    void clientThatCannotBeAnswered_keepsNoOtherWaiting() {
        shared.give("/a", tasks::add, () -> new Answer(200, "a"), answer -> {
            throw new IllegalStateException("expected by this test");
        });
        ask("/a");
        work();

        assertThat(given).extracting(Answer::status).containsExactly(200);
    }

    @Test
    void error_isAnsweredWith500_andTheQuestionCanBeAskedAgain() {
        shared.give(
                "/a",
                tasks::add,
                () -> {
                    throw new NoClassDefFoundError("expected by this test");
                },
                given::add);
        ask("/a");
        work();
        ask("/a");
        work();

        assertThat(given).extracting(Answer::status).containsExactly(500, 500, 200);
    }

    @Test
    void change_dropsAnswers_alsoThoseUnderWay() {
        ask("/a");
        ask("/b");
        tasks.remove().run();
        shared.clear();
        work();
        ask("/a");
        ask("/b");
        work();

        assertThat(calculated).hasValue(4);
        assertThat(given).extracting(Answer::status).containsOnly(200);
    }

    @Test
    void answersBeyondTheBound_leaveOldestFirst() {
        for (int i = 0; i < 40; i++) {
            ask("/" + i, 100_000);
            work();
            assertThat(shared.bytes()).isLessThanOrEqualTo(SharedAnswers.MOST_BYTES);
        }
        assertThat(shared.bytes()).isGreaterThan(SharedAnswers.MOST_BYTES / 2);
        ask("/0", 100_000);
        assertThat(tasks).hasSize(1);
        work();
        ask("/39", 100_000);

        assertThat(calculated).hasValue(41);
        for (int i = 0; i < 2_000; i++) {
            ask("/short/" + i);
            work();
        }
        assertThat(shared.bytes()).isLessThan(SharedAnswers.MOST_BYTES / 4);
    }
}

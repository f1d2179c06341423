package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.settings.HttpSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many open dashboards, and many callers, at a running analyzer. */
@Tag("server")
@Tag("full")
class DashboardCrowdTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> QUESTIONS = List.of("status", "callers/top?limit=12", "locks?limit=100");

    @TempDir
    Path folder;

    private final AtomicInteger calculated = new AtomicInteger();
    private final HttpClient http = HttpClient.newHttpClient();
    private ServedFleet served;

    @BeforeEach
    void analyzer() throws Exception {
        served = new ServedFleet(
                folder, 1, TestPolicies.above(100), new HttpSettings("127.0.0.1", 8480), "test-crowd", this::counted);
        await().atMost(PATIENCE).until(() -> get("status").join().statusCode() == 200);
    }

    /** Counts the answers that are calculated. */
    private ServedAnalyzer counted(ServedAnalyzer analyzer) {
        return new ServedAnalyzer(
                analyzer.name(),
                analyzer.maxLease(),
                analyzer.running(),
                () -> {
                    calculated.incrementAndGet();
                    return analyzer.counts().get();
                },
                analyzer.tasks());
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private URI uri(String path) {
        return served.uri().resolve("/api/v1/" + path);
    }

    private CompletableFuture<HttpResponse<byte[]>> get(String path) {
        return http.sendAsync(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofByteArray());
    }

    @Test
    void dashboards_500Open_shareAnswersAndThreads() throws Exception {
        List<Page> pages =
                IntStream.range(0, EventStreams.MOST).mapToObj(i -> new Page()).toList();
        await().atMost(PATIENCE).until(() -> pages.stream().allMatch(page -> page.chunks.get() > 0));
        int before = calculated.get();
        int rounds = 4;
        for (int round = 0; round < rounds; round++) {
            for (String question : QUESTIONS) {
                List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
                pages.forEach(page -> answers.add(get(question)));
                for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
                    assertThat(answer.join().statusCode()).isEqualTo(200);
                }
            }
        }

        assertThat(calculated.get() - before).isBetween(1, rounds * EventStreams.MOST / 5);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("test-crowd"))
                .hasSizeLessThanOrEqualTo(64);
        served.fleet.send("noisy", 150);
        await().atMost(PATIENCE).until(() -> pages.stream().allMatch(page -> page.locked));
    }

    @Test
    void callers_100000Quiet_makeNoAnswerLonger() {
        TestKafka.send(
                served.fleet.topics.requests(),
                IntStream.range(0, 100_000)
                        .mapToObj(i -> TestFleet.event("quiet-" + i))
                        .toList());
        served.fleet.send("noisy", 150);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                new String(get("locks?limit=100").join().body(), StandardCharsets.UTF_8))
                        .contains("noisy"));

        for (String question : QUESTIONS) {
            assertThat(get(question).join().body().length).as(question).isLessThan(16_384);
        }
    }

    /** Listens to events, as an open page does. */
    private final class Page implements Flow.Subscriber<List<ByteBuffer>> {
        private final AtomicLong chunks = new AtomicLong();
        private volatile boolean locked;

        Page() {
            var unused =
                    http.sendAsync(HttpRequest.newBuilder(uri("events")).build(), BodyHandlers.fromSubscriber(this));
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            chunks.incrementAndGet();
            for (ByteBuffer buffer : buffers) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                locked |= new String(bytes, StandardCharsets.UTF_8).contains("event: open");
            }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }
}

package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real server over real sockets. */
@Timeout(600)
final class PatientHttpClientTest {
    private static final long SECOND = 1_000_000_000;
    private static final HttpClient JDK = HttpClient.newHttpClient();

    private ScriptedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Short pauses where it chooses them itself, and time enough for a slow machine. */
    private static RetryPolicy.Builder quick() {
        return RetryPolicy.builder()
                .backoff(Duration.ofMillis(20), Duration.ofMillis(20))
                .within(Duration.ofMinutes(10));
    }

    private HttpResponse<String> send(RetryPolicy.Builder patience, HttpRequest.Builder request) throws Exception {
        return PatientHttpClient.over(JDK, patience.build()).send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder post() {
        return server.request().POST(BodyPublishers.ofString("order"));
    }

    @Test
    void comesAgainWhenTheSecondsAreOver() throws Exception {
        server.then(429, "Retry-After", "1");
        assertThat(send(quick(), server.request()).statusCode()).isEqualTo(200);
        assertThat(server.arrivals).hasSize(2);
        assertThat(server.between(0, 1)).isGreaterThanOrEqualTo(SECOND);
    }

    @Tag("full")
    @Test
    void comesAgainAtTheDate() throws Exception {
        ZonedDateTime in3 = ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(3);
        String date = DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
                .format(in3);
        server.then(503, "Retry-After", date);
        assertThat(send(quick(), server.request()).statusCode()).isEqualTo(200);
        // the date has whole seconds
        assertThat(ZonedDateTime.now(ZoneOffset.UTC)).isAfterOrEqualTo(in3.truncatedTo(ChronoUnit.SECONDS));
    }

    @Test
    void comesAgainWhenTheQuotaIsReset() throws Exception {
        server.then(429, "RateLimit", "\"plans\";r=0;t=1");
        assertThat(send(quick(), server.request()).statusCode()).isEqualTo(200);
        assertThat(server.between(0, 1)).isGreaterThanOrEqualTo(SECOND);
    }

    @Test
    void whatTheHostDidNotHandleIsSentAgainWhateverItIsAndWithItsBody() throws Exception {
        server.then(429, "Retry-After", "0").then(503, "Retry-After", "0");
        assertThat(send(quick(), post()).statusCode()).isEqualTo(200);
        assertThat(server.bodies).containsExactly("order", "order", "order");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503, 502, 504})
    void whatMayHaveHadAnEffectIsNotSentAgain(int status) throws Exception {
        server.then(status);
        assertThat(send(quick(), post()).statusCode()).isEqualTo(status);
        assertThat(server.arrivals).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503, 502, 504})
    void unlessItIsRepeatable(int status) throws Exception {
        server.then(status);
        assertThat(send(quick().repeatable(request -> true), post()).statusCode())
                .isEqualTo(200);
    }

    /** Behind a redirect another request was turned away: the order was taken. */
    @Test
    void whatWasRedirectedIsNotSentAgain() throws Exception {
        server.then(303, "Location", "/orders/7").then(429, "Retry-After", "0");
        HttpClient following = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();

        HttpResponse<String> response =
                PatientHttpClient.over(following, quick().build()).send(post().build(), BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(server.bodies).filteredOn("order"::equals).hasSize(1);
    }

    @Test
    void hostBehindARedirect_isTheOneThatPauses() throws Exception {
        HttpClient following = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        PatientHttpClient client =
                PatientHttpClient.over(following, quick().failFast().build());
        try (ScriptedServer other = new ScriptedServer()) {
            server.then(302, "Location", other.request().build().uri().toString());
            other.then(429, "Retry-After", "600");
            assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(429);

            assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThatThrownBy(() -> client.send(other.request().build(), BodyHandlers.ofString()))
                    .isInstanceOf(HostBusyException.class);
            assertThat(server.arrivals).hasSize(2);
            assertThat(other.arrivals).hasSize(1);
        }
    }

    @Test
    void clientThatFollowsRedirects_pausesTheHostThatAnswersItself() throws Exception {
        HttpClient following = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        PatientHttpClient client =
                PatientHttpClient.over(following, quick().failFast().build());
        server.then(429, "Retry-After", "600");
        client.send(server.request().build(), BodyHandlers.ofString());

        assertThatThrownBy(() -> client.send(server.request().build(), BodyHandlers.ofString()))
                .isInstanceOf(HostBusyException.class);
        assertThat(server.arrivals).hasSize(1);
    }

    @Test
    void aPredicateThatFailsIsTheCallersError() {
        server.thenHangsUp();

        assertThatThrownBy(() -> send(
                        quick().repeatable(request -> {
                            throw new IllegalStateException("no key");
                        }),
                        post()))
                .hasStackTraceContaining("no key");
    }

    @ParameterizedTest
    @CsvSource({"GET,2", "HEAD,2", "OPTIONS,2", "PUT,2", "DELETE,2", "POST,1", "PATCH,1"})
    void byDefaultIdempotentMethodsAre(String method, int requests) throws Exception {
        server.then(502);
        send(quick(), server.request().method(method, BodyPublishers.noBody()));
        assertThat(server.arrivals).hasSize(requests);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 301, 400, 404, 500})
    void otherAnswersAreAnswers(int status) throws Exception {
        server.then(status, "Retry-After", "1");
        assertThat(send(quick(), server.request()).statusCode()).isEqualTo(status);
        assertThat(server.arrivals).hasSize(1);
    }

    @Test
    void aConnectionThatBreaksIsTriedAgainForWhatIsRepeatable() throws Exception {
        server.thenHangsUp().thenHangsUp().thenHangsUp();
        assertThat(send(quick().attempts(9), server.request()).statusCode()).isEqualTo(200);
    }

    @Test
    void aConnectionThatBreaksIsTheCallersWhenTheRequestMayHaveHadAnEffect() {
        server.thenHangsUp();
        assertThatThrownBy(() -> send(quick(), post())).isInstanceOf(IOException.class);
        assertThat(server.arrivals).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void attemptsAreBounded(int attempts) throws Exception {
        server.always(429, "Retry-After", "0");
        HttpResponse<String> last = send(quick().attempts(attempts), server.request());
        assertThat(last.statusCode()).isEqualTo(429);
        assertThat(last.body()).isEqualTo("xxxxx");
        assertThat(server.arrivals).hasSize(attempts);
    }

    @Test
    void aSpentBudgetFailsFast() throws Exception {
        server.always(503);
        PatientHttpClient client =
                PatientHttpClient.over(JDK, quick().attempts(10).budget(3, 0.5).build());
        List<Integer> requests = new ArrayList<>();
        for (int call = 0; call < 6; call++) {
            int before = server.arrivals.size();
            client.send(server.request().build(), BodyHandlers.discarding());
            requests.add(server.arrivals.size() - before);
        }
        assertThat(requests).containsExactly(4, 1, 2, 1, 2, 1);
    }

    @Test
    void aWaitThatIsLongerThanTheCallMayTakeIsNotBegun() throws Exception {
        server.always(429, "Retry-After", "3600");
        PatientHttpClient client = PatientHttpClient.over(
                JDK, quick().mostPause(Duration.ofHours(1)).build());
        assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(429);
        assertThatThrownBy(() -> client.send(server.request().build(), BodyHandlers.ofString()))
                .isInstanceOfSatisfying(HostBusyException.class, busy -> {
                    assertThat(busy.retryAfter()).isBetween(Duration.ofMinutes(30), Duration.ofHours(1));
                    assertThat(busy.sent()).isZero();
                })
                .hasMessageContaining("the call was not sent");
        assertThat(server.arrivals).hasSize(1);
    }

    @Test
    void whoFailsFastDoesNotWaitAtAll() throws Exception {
        server.always(429, "Retry-After", "600");
        PatientHttpClient client =
                PatientHttpClient.over(JDK, quick().failFast().build());
        assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(429);
        assertThatThrownBy(() -> client.send(server.request().build(), BodyHandlers.ofString()))
                .isInstanceOf(HostBusyException.class);
        assertThat(server.arrivals).hasSize(1);
    }

    @Test
    void othersWaitForAHostThatAskedOne() throws Exception {
        server.then(200, "RateLimit", "\"plans\";r=0;t=1");
        PatientHttpClient client = PatientHttpClient.over(JDK, quick().build());
        client.send(server.request().build(), BodyHandlers.ofString());
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            calls.add(client.sendAsync(post().build(), BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> call : calls) {
            assertThat(call.get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        }
        for (int i = 1; i <= 5; i++) {
            assertThat(server.between(0, i)).isGreaterThanOrEqualTo(SECOND);
        }
    }

    @Test
    void whatRemainsCanBeIgnored() throws Exception {
        server.always(200, "RateLimit", "\"plans\";r=0;t=3600");
        PatientHttpClient client =
                PatientHttpClient.over(JDK, quick().heedsRemaining(false).build());
        client.send(server.request().build(), BodyHandlers.ofString());
        assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aPauseIsBelievedOnlySoLong() throws Exception {
        server.then(429, "Retry-After", "31536000");
        PatientHttpClient client = PatientHttpClient.over(
                JDK, quick().mostPause(Duration.ofMillis(100)).build());
        assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(429);
        assertThat(client.send(server.request().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    /** After an answer that asks for a pause of an hour; its calls may wait that long. */
    private PatientHttpClient paused(RetryPolicy.Builder patience) throws Exception {
        server.then(200, "RateLimit", "\"plans\";r=0;t=3600");
        PatientHttpClient client = PatientHttpClient.over(
                JDK,
                patience.mostPause(Duration.ofHours(1))
                        .within(Duration.ofDays(1))
                        .build());
        client.send(server.request().build(), BodyHandlers.ofString());
        return client;
    }

    private List<CompletableFuture<HttpResponse<String>>> calls(PatientHttpClient client, int count) {
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(client.sendAsync(server.request().build(), BodyHandlers.ofString()));
        }
        return calls;
    }

    @Test
    void notMoreWaitThanMay() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> calls = calls(paused(quick().mostWaiting(2)), 3);
        assertThatThrownBy(() -> calls.get(2).get(2, TimeUnit.MINUTES)).hasCauseInstanceOf(HostBusyException.class);
        assertThat(calls.subList(0, 2)).noneMatch(CompletableFuture::isDone);
        calls.forEach(call -> call.cancel(true));
    }

    @Test
    void cancelledCall_freesItsSlotOnce() throws Exception {
        PatientHttpClient client = paused(quick().mostWaiting(1));
        for (int i = 0; i < 3; i++) {
            CompletableFuture<HttpResponse<String>> waits = calls(client, 1).get(0);
            assertThat(waits).isNotDone();
            // the slot is taken once: no second call fits
            assertThat(calls(client, 1).get(0)).isCompletedExceptionally();
            waits.cancel(true);
        }
    }

    @Test
    void cancelledRetry_freesItsSlotOnce() throws Exception {
        AtomicReference<PatientHttpClient> last = new AtomicReference<>();
        AtomicInteger pause = new AtomicInteger();
        beforeThePauseIsOver(seconds -> {
            pause.set(seconds);
            last.set(PatientHttpClient.over(JDK, quick().mostWaiting(1).build()));
            server.then(429, "Retry-After", "" + seconds);
            CompletableFuture<HttpResponse<String>> retries =
                    calls(last.get(), 1).get(0);
            await().until(() -> server.arrivals.size() == 1);
            retries.cancel(true);
        });
        long cancelled = System.nanoTime();
        await().until(() -> System.nanoTime() - cancelled > (pause.get() + 1) * SECOND);
        PatientHttpClient client = last.get();
        server.then(200, "RateLimit", "\"plans\";r=0;t=300");
        client.send(server.request().build(), BodyHandlers.ofString());
        List<CompletableFuture<HttpResponse<String>>> calls = calls(client, 2);

        assertThat(calls.get(0)).isNotDone();
        assertThat(calls.get(1)).isCompletedExceptionally();
        calls.get(0).cancel(true);
    }

    @Test
    void waitingHoldsNoThread() throws Exception {
        PatientHttpClient client = paused(quick());
        int before = Thread.activeCount();
        List<CompletableFuture<HttpResponse<String>>> calls = calls(client, 200);
        assertThat(Thread.activeCount()).isLessThan(before + 20);
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        calls.forEach(call -> call.cancel(true));
    }

    private interface Act {
        /** Against a new server that asks for a pause of so many seconds; the pause begins while it runs. */
        void during(int seconds) throws Exception;
    }

    /** Acts against longer and longer pauses until all was done before the pause was over. */
    private void beforeThePauseIsOver(Act act) throws Exception {
        long begun = 0;
        long pause = 0;
        for (int seconds = 1; System.nanoTime() - begun >= pause; seconds *= 2) {
            server.close();
            server = new ScriptedServer();
            pause = seconds * SECOND;
            begun = System.nanoTime();
            act.during(seconds);
        }
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsIsNotSent() throws Exception {
        AtomicReference<CompletableFuture<HttpResponse<String>>> last = new AtomicReference<>();
        beforeThePauseIsOver(seconds -> {
            server.then(200, "RateLimit", "\"plans\";r=0;t=" + seconds);
            PatientHttpClient client = PatientHttpClient.over(JDK, quick().build());
            client.send(server.request().build(), BodyHandlers.ofString());
            List<CompletableFuture<HttpResponse<String>>> calls = calls(client, 20);
            last.set(calls.remove(19));
            calls.forEach(call -> call.cancel(true));
        });
        assertThat(last.get().get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        long later = System.nanoTime();
        await().until(() -> System.nanoTime() - later > SECOND / 2);
        assertThat(server.arrivals).hasSize(2);
    }

    @Test
    void aCallThatIsCancelledOnItsWayIsNotSentAgain() throws Exception {
        AtomicInteger pause = new AtomicInteger();
        beforeThePauseIsOver(seconds -> {
            pause.set(seconds);
            server.always(429, "Retry-After", "" + seconds);
            CompletableFuture<HttpResponse<String>> call =
                    calls(PatientHttpClient.over(JDK, quick().build()), 1).get(0);
            await().until(() -> server.arrivals.size() == 1);
            call.cancel(true);
        });
        long cancelled = System.nanoTime();
        await().until(() -> System.nanoTime() - cancelled > (pause.get() + 1) * SECOND);
        assertThat(server.arrivals).hasSize(1);
    }

    @Test
    void whoWaitsCanBeInterrupted() throws Exception {
        server.always(429, "Retry-After", "300");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                send(quick(), server.request());
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        waiting.start();
        await().until(() -> server.arrivals.size() == 1);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void theWholeCallIsBoundedInTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"))
                    .build();
            PatientHttpClient client = PatientHttpClient.over(
                    JDK, quick().within(Duration.ofMillis(300)).build());
            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(HttpTimeoutException.class);
        }
    }

    @Test
    void aBodyThatNobodyWillSeeIsNotReadToItsEnd() throws Exception {
        server.thenEndless(429, "Retry-After", "0").then(429, "Retry-After", "0");
        assertThat(send(quick(), server.request()).body()).isEqualTo("xxxxx");
        assertThat(server.arrivals).hasSize(3);
    }

    @Test
    void aHandlerThatFailsIsTheCallersError() {
        PatientHttpClient client = PatientHttpClient.over(JDK, quick().build());
        CompletableFuture<HttpResponse<String>> call =
                client.sendAsync(server.request().build(), head -> {
                    throw new IllegalStateException("not mine");
                });
        assertThatThrownBy(() -> call.get(2, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("not mine");
    }

    @Test
    void isTheClientThatItStandsFor() {
        HttpClient original = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(7))
                .followRedirects(HttpClient.Redirect.NORMAL)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        HttpClient patient = PatientHttpClient.over(original);
        assertThat(patient.connectTimeout()).contains(Duration.ofSeconds(7));
        assertThat(patient.followRedirects()).isEqualTo(HttpClient.Redirect.NORMAL);
        assertThat(patient.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(patient.sslContext()).isSameAs(original.sslContext());
    }
}

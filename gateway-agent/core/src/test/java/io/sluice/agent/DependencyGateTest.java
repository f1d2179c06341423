package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.client.DependencyGate;
import io.sluice.agent.client.GateRejectedException;
import io.sluice.agent.internal.gate.FaultyStrategy;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.kafka.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A dependency's gate with a real agent on a real broker. */
@Tag("server")
final class DependencyGateTest {
    private static final String POLICIES =
            "{\"policies\":[{\"name\":\"invoices\",\"match\":{\"service\":\"billing\"},\"per\":[\"caller\"],"
                    + "\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** How long a check waits for a central store, the longest that there is. */
    private static final Duration STORE_WAIT = Duration.ofSeconds(10);

    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static EmbeddedKafka kafka;

    private Cluster cluster;
    private GateAgent agent;
    private DependencyGate billing;

    @BeforeAll
    static void startBroker() {
        kafka = EmbeddedKafka.builder().start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @BeforeEach
    void startAgent() {
        cluster = new Cluster(kafka.bootstrapServers(), "d" + PREFIXES.incrementAndGet() + ".");
        agent = cluster.agent().policies(Cluster.set(POLICIES)).build();
        billing = DependencyGate.to("billing", agent);
    }

    @AfterEach
    void stop() {
        agent.close();
        cluster.close();
    }

    private List<RequestEvent> logged(int count) {
        return cluster.read(cluster.names.requests(), count).stream()
                .map(record -> {
                    try {
                        return RequestEventReader.ours().read(record.value());
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    private static CompletionStage<String> mustNotBeCalled() {
        throw new AssertionError("called");
    }

    @Test
    void aCallThatPassesIsMadeAndLogged() {
        assertThat(billing.run("acme", () -> "invoice")).isEqualTo("invoice");
        assertThat(logged(1)).singleElement().satisfies(event -> {
            assertThat(event.caller()).isEqualTo("acme");
            assertThat(event.service()).isEqualTo("billing");
            assertThat(event.outcome()).isEqualTo(Outcome.ALLOWED);
            assertThat(event.status()).isEqualTo(200);
        });
    }

    @Test
    void aCallThatIsTurnedAwayIsNotMadeAndLoggedAllTheSame() {
        billing.run("acme", () -> "invoice");
        assertThatThrownBy(() -> billing.run("acme", DependencyGateTest::mustNotBeCalled))
                .isInstanceOfSatisfying(GateRejectedException.class, rejected -> {
                    assertThat(rejected.policy()).isEqualTo("invoices");
                    assertThat(rejected.reason()).isEqualTo(Verdict.Reason.LIMITED);
                    assertThat(rejected.retryAfter()).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(60));
                    assertThat(rejected.getStackTrace()).isEmpty();
                });
        assertThat(billing.run("bolt", () -> "other")).isEqualTo("other");
        assertThat(logged(3))
                .extracting(event -> event.caller() + " " + event.outcome() + " " + event.status())
                .containsExactlyInAnyOrder("acme ALLOWED 200", "acme LIMITED 429", "bolt ALLOWED 200");
    }

    @Test
    void aCallThatFailsFailsAndIsLogged() {
        assertThatThrownBy(() -> billing.run("acme", () -> {
                    throw new IllegalStateException("out of paper");
                }))
                .hasMessage("out of paper");
        assertThat(logged(1)).singleElement().extracting(RequestEvent::status).isEqualTo(500);
    }

    @Test
    void aStagesCallIsOverWhenTheStageIs() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        long begun = System.nanoTime();
        CompletableFuture<String> call = billing.start("acme", () -> answer).toCompletableFuture();
        assertThat(agent.status().logged()).isZero();
        answer.completeOnTimeout("invoice", 300, TimeUnit.MILLISECONDS);
        assertThat(call.get()).isEqualTo("invoice");
        List<RequestEvent> logged = logged(1);
        long atMost = (System.nanoTime() - begun) / 1000;
        assertThat(logged).singleElement().satisfies(event -> {
            assertThat(event.status()).isEqualTo(200);
            assertThat(event.micros()).isBetween(250_000L, atMost);
        });
    }

    @Test
    void aStageThatFailsOrIsNotEvenMadeIsLoggedAsFailed() {
        CompletionStage<String> failed =
                billing.start("acme", () -> CompletableFuture.failedStage(new IllegalStateException("later")));
        CompletionStage<String> unmade = billing.start("bolt", () -> {
            throw new IllegalStateException("at once");
        });
        CompletionStage<String> missing = billing.start("cafe", () -> null);
        assertThat(failed).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("later");
        assertThat(unmade).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("at once");
        assertThat(missing).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("without a stage");
        assertThat(logged(3)).extracting(RequestEvent::status).containsOnly(500);
    }

    @Test
    void aStageThatIsTurnedAwayFailsAndIsNotMade() {
        billing.start("acme", () -> CompletableFuture.completedStage("invoice"));
        CompletionStage<String> rejected = billing.start("acme", DependencyGateTest::mustNotBeCalled);
        assertThat(rejected).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(GateRejectedException.class);
        assertThat(logged(2)).extracting(RequestEvent::status).containsExactlyInAnyOrder(200, 429);
    }

    private static String policy(String name, String per, String limit) {
        return "{\"name\":\"" + name + "\",\"per\":[" + per + "],\"limit\":{" + limit + "}}";
    }

    private DependencyGate limited(String limit) {
        return governed(policy("limited", "\"caller\"", limit));
    }

    private DependencyGate governed(String... policies) {
        agent.close();
        agent = cluster.agent()
                .policies(Cluster.set("{\"policies\":[" + String.join(",", policies) + "]}"))
                .build();
        return DependencyGate.to("billing", agent);
    }

    @Test
    void aPlaceAmongTheCallsInFlightIsGivenBackHoweverTheCallEnds() {
        DependencyGate one = limited("\"algorithm\":\"concurrency\",\"max\":1");
        CompletableFuture<String> answer = new CompletableFuture<>();

        CompletionStage<String> inFlight = one.start("acme", () -> answer);
        assertThatThrownBy(() -> one.run("acme", () -> "second")).isInstanceOf(GateRejectedException.class);
        answer.completeExceptionally(new IllegalStateException("no"));

        assertThat(inFlight).failsWithin(PATIENCE);
        assertThatThrownBy(() -> one.run("acme", () -> {
                    throw new IllegalStateException("out of paper");
                }))
                .hasMessage("out of paper");
        assertThat(one.run("acme", () -> "free again")).isEqualTo("free again");
    }

    @Test
    void aPlaceIsGivenBackAlsoWhenTheCallerGaveTheStageUp() {
        DependencyGate one = limited("\"algorithm\":\"concurrency\",\"max\":1");
        CompletableFuture<String> answer = new CompletableFuture<>();

        one.start("acme", () -> answer).toCompletableFuture().cancel(true);
        assertThatThrownBy(() -> one.run("acme", () -> "second")).isInstanceOf(GateRejectedException.class);
        answer.complete("too late");

        assertThat(one.run("acme", () -> "free again")).isEqualTo("free again");
    }

    @Test
    void aCallThatIsGivenUpBeforeItsTurnIsNotMadeAndGivesItsPlaceBack() {
        GivenUp call = giveUp(1);
        // on a slow machine its turn may come sooner than it is given up
        for (int seconds = 2; !call.beforeItsTurn; seconds *= 2) {
            call = giveUp(seconds);
        }

        DependencyGate gate = call.gate;
        await().ignoreExceptionsInstanceOf(GateRejectedException.class)
                .untilAsserted(
                        () -> assertThat(gate.run("bolt", () -> "free again")).isEqualTo("free again"));
        assertThat(call.made).hasValue(0);
    }

    private record GivenUp(DependencyGate gate, AtomicInteger made, boolean beforeItsTurn) {}

    /** Gives up a call whose turn comes so many seconds after another one's; it takes the only place meanwhile. */
    private GivenUp giveUp(int seconds) {
        DependencyGate paced = governed(
                policy(
                        "paced",
                        "\"caller\"",
                        "\"algorithm\":\"leaky-bucket\",\"rate\":\"1/" + seconds + "s\",\"maxWait\":\"1m\""),
                policy("one", "", "\"algorithm\":\"concurrency\",\"max\":1"));
        AtomicInteger made = new AtomicInteger();
        long begun = System.nanoTime();
        paced.run("acme", () -> "first");
        paced.start("acme", () -> CompletableFuture.completedStage(made.incrementAndGet()))
                .toCompletableFuture()
                .cancel(true);
        return new GivenUp(paced, made, System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void aPacedCallWaitsForItsTurn() throws Exception {
        DependencyGate paced = limited("\"algorithm\":\"leaky-bucket\",\"rate\":\"5/s\",\"maxWait\":\"10s\"");
        long begun = System.nanoTime();

        paced.run("acme", () -> "first");
        paced.run("acme", () -> "second");
        paced.start("acme", () -> CompletableFuture.completedStage("third"))
                .toCompletableFuture()
                .get();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(399));
    }

    @Test
    void aStageWaitsForACentralStoreWithoutItsThread() {
        FaultyStrategy store = new FaultyStrategy();
        store.fault = FaultyStrategy.Fault.SILENT;
        DependencyGate counted = counted(store);
        CompletableFuture<Thread> startedBy = new CompletableFuture<>();

        CompletionStage<String> call = counted.start("acme", () -> {
            startedBy.complete(Thread.currentThread());
            return CompletableFuture.completedStage("invoice");
        });
        store.answerLate();

        assertThat(call).succeedsWithin(PATIENCE).isEqualTo("invoice");
        assertThat(startedBy).isCompletedWithValueMatching(thread -> thread != Thread.currentThread());
    }

    @Test
    void aStageThatACentralStoreRefusesOrItsCallerGivesUpIsNotMade() {
        Refused call = refuse();
        // on a machine that stands still, the agent's share may decide before the store answers
        while (!call.inTime) {
            stop();
            startAgent();
            call = refuse();
        }

        assertThat(call.refused)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(GateRejectedException.class);
        assertThat(logged(3))
                .extracting(event -> event.caller() + " " + event.outcome() + " " + event.status())
                .containsExactlyInAnyOrder("acme ALLOWED 200", "acme LIMITED 429", "bolt ALLOWED 500");
    }

    private record Refused(CompletionStage<String> refused, boolean inTime) {}

    /** Starts a call that the store refuses and one that is given up, and lets the store answer both. */
    private Refused refuse() {
        FaultyStrategy store = new FaultyStrategy();
        DependencyGate counted = counted(store);
        counted.run("acme", () -> "invoice");
        store.fault = FaultyStrategy.Fault.SILENT;

        long begun = System.nanoTime();
        CompletionStage<String> refused = counted.start("acme", DependencyGateTest::mustNotBeCalled);
        CompletionStage<String> givenUp = counted.start("bolt", DependencyGateTest::mustNotBeCalled);
        givenUp.toCompletableFuture().cancel(true);
        store.answerLate();
        return new Refused(refused, System.nanoTime() - begun < STORE_WAIT.toNanos());
    }

    private DependencyGate counted(FaultyStrategy store) {
        agent.close();
        String limit = "\"rate\":\"1/h\",\"burst\":1,\"scope\":\"fleet\",\"strategy\":\"faulty\"";
        agent = cluster.agent()
                .quotaStrategy(store)
                .quotaWait(STORE_WAIT)
                .policies(Cluster.set("{\"policies\":[" + policy("counted", "\"caller\"", limit) + "]}"))
                .build();
        return DependencyGate.to("billing", agent);
    }

    @Test
    void whoIsInterruptedWhileWaitingDoesNotCall() {
        Interrupted call = interrupt();
        // on a slow machine its turn may have come before it asks
        while (!call.beforeItsTurn) {
            call = interrupt();
        }

        assertThat(call.thrown).isInstanceOf(CancellationException.class);
        assertThat(call.again).isTrue();
    }

    /** @param again whether the thread was interrupted afterwards, too */
    private record Interrupted(Throwable thrown, boolean again, boolean beforeItsTurn) {}

    /** Asks, on an interrupted thread, for a call whose turn comes a minute after another one's: no policy lets it wait longer. */
    private Interrupted interrupt() {
        DependencyGate paced = limited("\"algorithm\":\"leaky-bucket\",\"rate\":\"1/m\",\"maxWait\":\"1m\"");
        long begun = System.nanoTime();
        paced.run("acme", () -> "first");
        Thread.currentThread().interrupt();
        Throwable thrown = catchThrowable(() -> paced.run("acme", DependencyGateTest::mustNotBeCalled));
        boolean again = Thread.interrupted();
        return new Interrupted(thrown, again, System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(1));
    }

    @Test
    void aDependencyHasAName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DependencyGate.to(" ", agent))
                .withMessageContaining("dependency must not be blank");
    }
}

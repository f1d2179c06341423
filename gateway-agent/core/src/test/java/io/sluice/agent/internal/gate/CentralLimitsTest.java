package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.FaultyStrategy.Fault;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.quota.PermitsAhead;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStatus.State;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Limits of a central store, and what replaces them. The harness's heartbeats name two live agents. */
final class CentralLimitsTest {
    private static final long SECOND = 1_000_000_000;
    private static final String CALLERS = policy("callers", "['caller']", "'rate':'1/h','burst':10", "");

    private static final String ONE_AT_A_TIME =
            "{\"name\":\"one\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"concurrency\",\"max\":1}}";

    private static final Request ACME = Request.of("acme").service("orders").build();

    private final FaultyStrategy store = new FaultyStrategy();
    private final GateHarness gates = new GateHarness();
    private final AtomicLong skipped = new AtomicLong();
    private final StrategyClients clients = new StrategyClients(List.of(store), this::ticks, 20_000_000);
    private final Gatekeeper keeper = new Gatekeeper(gates.decisions, this::ticks, clients);

    /** Stands until some is skipped: a breaker does not try again because a test was slow. Waits are real all the same. */
    private long ticks() {
        return gates.now() + skipped.get();
    }

    private static String policy(String name, String per, String limit, String more) {
        return ("{'name':'" + name + "','per':" + per + more + ",'limit':{" + limit
                        + ",'scope':'fleet','strategy':'faulty'}}")
                .replace('\'', '"');
    }

    private Verdict ask(String caller, long cost) {
        return keeper.check(Request.of(caller).service("orders").build(), null, cost, ticks());
    }

    private Verdict ask(String caller) {
        return ask(caller, 1);
    }

    private QuotaStatus status() {
        return clients.status().get(0);
    }

    private static Verdict.Reason reason(Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Rejected.class);
        return ((Verdict.Rejected) verdict).reason();
    }

    private void open() {
        store.fault = Fault.ERROR;
        for (int i = 0; i < 5; i++) {
            ask("opener" + i);
        }
        assertThat(status().state()).isEqualTo(State.OPEN);
    }

    /** Asks until the store, which answers again, decides. */
    private void close() {
        for (int i = 0; status().state() != State.CLOSED; i++) {
            skipped.addAndGet(SECOND);
            ask("prober" + i);
        }
    }

    @Test
    void check_isDecidedByTheStoreForTheWholeFleet() {
        gates.policies(CALLERS).fresh();
        for (int left = 9; left >= 0; left--) {
            assertThat(ask("acme").quota())
                    .extracting(Quota::limit, Quota::remaining)
                    .containsExactly(10L, (long) left);
        }

        Verdict rejected = ask("acme");
        assertThat(reason(rejected)).isEqualTo(Verdict.Reason.LIMITED);
        assertThat(((Verdict.Rejected) rejected).retryAfterMillis()).isEqualTo(7000);
        assertThat(gates.decisions.gates()).isZero();
        assertThat(status()).isEqualTo(new QuotaStatus("faulty", State.CLOSED, 10, 1, 0, 0, 0, 0, PermitsAhead.NONE));
    }

    @Test
    void hierarchy_isAskedTogetherOnOneRoute() {
        gates.policies(
                        policy("all", "[]", "'rate':'1/h','burst':3", ""),
                        policy("callers", "['caller']", "'rate':'1/h','burst':2,'under':'all'", ""))
                .fresh();

        assertThat(ask("acme").allowed()).isTrue();
        assertThat(ask("acme").allowed()).isTrue();
        assertThat(((Verdict.Rejected) ask("acme")).policy()).isEqualTo("callers");
        assertThat(ask("bolt").allowed()).isTrue();
        assertThat(((Verdict.Rejected) ask("bolt")).policy()).isEqualTo("all");
        assertThat(store.used("all[]")).isEqualTo(3);
        assertThat(store.acquired.get(0))
                .hasSize(2)
                .allSatisfy(charge -> assertThat(charge.route()).isEqualTo("[]"));
    }

    @Test
    void refusalOfTheStore_refundsLocalLimits() {
        gates.policies("{\"name\":\"local\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":11}}", CALLERS)
                .fresh();
        for (int i = 0; i < 30; i++) {
            ask("acme");
        }

        gates.policies("{\"name\":\"local\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":11}}");
        assertThat(ask("acme").allowed()).isTrue();
        assertThat(ask("acme").allowed()).isFalse();
    }

    @Test
    void refusalOfALocalLimit_asksNoStore() {
        gates.policies(CALLERS, "{\"name\":\"local\",\"per\":[],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}")
                .fresh();
        ask("acme");

        assertThat(((Verdict.Rejected) ask("acme")).policy()).isEqualTo("local");
        assertThat(store.used("callers[\"acme\"]")).isEqualTo(1);
    }

    @Test
    void failures_degradeToTheShareAndOpenTheBreaker() {
        gates.policies(CALLERS).fresh();
        store.fault = Fault.ERROR;
        int admitted = 0;
        while (ask("acme").allowed()) {
            admitted++;
        }

        assertThat(admitted).isEqualTo(5);
        assertThat(reason(ask("acme"))).isEqualTo(Verdict.Reason.LIMITED_BY_SHARE);
        assertThat(status().state()).isEqualTo(State.OPEN);
        assertThat(status().failed()).isEqualTo(5);
        assertThat(store.acquired).hasSize(5);
        assertThat(clients.reasons())
                .containsExactly("the strategy faulty does not answer; this agent applies its share");
    }

    @Test
    void strategyThatThrowsAnError_degradesToTheShareAndKeepsNoPermit() throws Exception {
        gates.policies(ONE_AT_A_TIME, CALLERS).fresh();
        store.fault = Fault.UNLINKED;
        for (int i = 0; i < 2; i++) {
            Verdict verdict = ask("acme");
            assertThat(verdict.allowed()).isTrue();
            verdict.close();
            Verdict later = keeper.checkAsync(ACME, null, 1, ticks())
                    .toCompletableFuture()
                    .get();
            assertThat(later.allowed()).isTrue();
            later.close();
        }

        assertThat(status().failed()).isEqualTo(4);
    }

    @Test
    void failureAfterTheLocalLimits_refundsThem() {
        gates.policies(ONE_AT_A_TIME, CALLERS).fresh();
        LongSupplier failing = () -> {
            if (!store.acquired.isEmpty()) {
                throw new IllegalStateException("no clock");
            }
            return ticks();
        };
        Gatekeeper broken = new Gatekeeper(gates.decisions, failing, clients);
        assertThatThrownBy(() -> broken.check(ACME, null, 1, ticks())).hasMessage("no clock");
        store.acquired.clear();
        assertThat(broken.checkAsync(ACME, null, 1, ticks())).isCompletedExceptionally();

        assertThat(ask("acme").allowed()).isTrue();
    }

    @Test
    void recovery_givesNoSecondBurst() {
        gates.policies(CALLERS).fresh();
        open();
        for (int i = 0; i < 5; i++) {
            assertThat(ask("acme").allowed()).isTrue();
        }
        store.fault = Fault.NONE;
        close();

        int admitted = 0;
        while (ask("acme").allowed()) {
            admitted++;
        }
        assertThat(admitted).isEqualTo(5);
        assertThat(store.used("callers[\"prober0\"]")).isEqualTo(1);
    }

    @Test
    void openBreaker_triesWithOneRequestForEachBackoff() {
        gates.policies(CALLERS).fresh();
        open();
        for (int i = 0; i < 50; i++) {
            ask("caller" + i);
        }
        assertThat(store.acquired).hasSize(5);
        skipped.addAndGet(SECOND);
        for (int i = 0; i < 50; i++) {
            ask("caller" + i);
        }
        assertThat(store.acquired).hasSize(6);
    }

    @Test
    void silence_isWaitedForUpToTheBoundAndLateGrantsAreReturned() {
        gates.policies(CALLERS).fresh();
        store.fault = Fault.SILENT;
        assertThat(ask("acme").allowed()).isTrue();
        assertThat(status().timedOut()).isEqualTo(1);
        store.fault = Fault.NONE;
        store.answerLate();

        // the late permit was returned; the one of the share was charged
        assertThat(store.used("callers[\"acme\"]")).isEqualTo(1);
    }

    @Test
    void interruptedThread_isServedByTheShareAndStaysInterrupted() {
        gates.policies(CALLERS).fresh();
        store.fault = Fault.SILENT;
        Thread.currentThread().interrupt();
        assertThat(ask("acme").allowed()).isTrue();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(status().timedOut()).isZero();
    }

    @Test
    void checkAsync_isCompletedByTheAnswer() throws Exception {
        gates.policies(CALLERS).fresh();
        store.fault = Fault.SILENT;
        StrategyClients patient = new StrategyClients(List.of(store), this::ticks, TimeUnit.MINUTES.toNanos(2));
        CompletionStage<Verdict> answered =
                new Gatekeeper(gates.decisions, this::ticks, patient).checkAsync(ACME, null, 1, ticks());
        assertThat(answered.toCompletableFuture()).isNotDone();
        store.answerLate();

        assertThat(answered.toCompletableFuture().get().quota())
                .extracting(Quota::remaining)
                .isEqualTo(9L);
    }

    @Test
    void checkAsync_isCompletedByTheBound() throws Exception {
        gates.policies(CALLERS).fresh();
        store.fault = Fault.SILENT;
        CompletionStage<Verdict> silent = keeper.checkAsync(ACME, null, 1, ticks());

        assertThat(silent.toCompletableFuture().get().allowed()).isTrue();
        // counted after the verdict is there
        await().until(() -> status().timedOut() == 1);
    }

    @Test
    void settle_returnsOrChargesTheDifferenceOnce() {
        gates.policies(policy("tokens", "['caller']", "'rate':'1/h','burst':100", ",'measure':'cost'"))
                .fresh();
        Verdict less = ask("acme", 50);
        less.settle(20);
        less.settle(0);
        assertThat(store.used("tokens[\"acme\"]")).isEqualTo(20);
        ask("acme", 10).settle(95);
        assertThat(store.used("tokens[\"acme\"]")).isEqualTo(115);
        keeper.charge(Request.of("acme").service("orders").build(), 5, ticks());

        assertThat(store.used("tokens[\"acme\"]")).isEqualTo(120);
        assertThat(reason(ask("acme", 1))).isEqualTo(Verdict.Reason.LIMITED);
    }

    @Test
    void onDegraded_decidesWhileTheStoreIsAway() {
        gates.policies(CALLERS.replace("\"scope\"", "\"onDegraded\":\"deny\",\"scope\""))
                .fresh();
        open();
        assertThat(reason(ask("acme"))).isEqualTo(Verdict.Reason.LIMITED_BY_SHARE);
        gates.policies(CALLERS.replace("\"scope\"", "\"onDegraded\":\"allow\",\"scope\""));
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            verdicts.add(ask("acme"));
        }

        assertThat(verdicts).allMatch(Verdict::allowed);
    }

    @Test
    void missingStrategyOrAlgorithm_isReplacedByTheShare() {
        gates.policies(CALLERS.replace("faulty", "other")).fresh();
        int admitted = 0;
        while (ask("acme").allowed()) {
            admitted++;
        }
        assertThat(admitted).isEqualTo(5);
        gates.policies(CALLERS.replace("\"rate\"", "\"algorithm\":\"fixed-window\",\"rate\"")
                .replace("1/h", "4/h")
                .replace("\"burst\":10,", ""));
        assertThat(ask("bolt").allowed()).isTrue();
        assertThat(ask("bolt").allowed()).isTrue();
        assertThat(ask("bolt").allowed()).isFalse();
        assertThat(store.acquired).isEmpty();
    }

    private static Stream<LimitRule> rules(String... policies) throws Exception {
        String set = "{\"policies\":[" + String.join(",", policies) + "]}";
        return PolicySetReader.read(JsonNodes.read(set.getBytes(StandardCharsets.UTF_8), "policies"))
                .policies()
                .stream()
                .flatMap(policy -> policy.limitRules().stream());
    }

    @Test
    void limitsThatNoStoreCounts_areReportedOnceAndUntilTheyAreGone() throws Exception {
        String missing = CALLERS.replace("faulty", "other").replace("callers", "missing");
        String windows = policy("windows", "['caller']", "'algorithm':'fixed-window','rate':'4/h'", "");
        String lacksStrategy = "policies name the strategy other, which this agent does not have; it applies its share";
        String lacksAlgorithm = "policies name the strategy faulty for fixed-window, which its store cannot apply;"
                + " this agent applies its share";

        assertThat(clients.limits(rules(CALLERS))).isEmpty();
        assertThat(clients.unanswered()).isEmpty();
        assertThat(clients.limits(rules(CALLERS, windows, missing))).containsExactly(lacksAlgorithm, lacksStrategy);
        assertThat(clients.limits(rules(windows, missing))).isEmpty();
        assertThat(clients.reasons()).containsExactly(lacksAlgorithm, lacksStrategy);
        assertThat(clients.unanswered()).containsExactly("faulty for fixed-window", "other");
        assertThat(clients.status()).extracting(QuotaStatus::state).containsExactly(State.CLOSED, State.MISSING);
        clients.limits(rules(CALLERS));
        assertThat(clients.reasons()).isEmpty();
        assertThat(clients.unanswered()).isEmpty();
    }

    @Test
    void shadowLimit_countsWhatTheStoreRefuses() {
        gates.policies(CALLERS.replace("\"scope\"", "\"shadow\":true,\"scope\""))
                .fresh();
        for (int i = 0; i < 15; i++) {
            assertThat(ask("acme").allowed()).isTrue();
        }

        assertThat(gates.wouldReject("callers")).isEqualTo(5);
    }
}

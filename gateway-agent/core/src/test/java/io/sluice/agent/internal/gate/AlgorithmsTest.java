package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds of a limit whatever its algorithm is. */
final class AlgorithmsTest {
    private final GateHarness gates = new GateHarness().fresh();
    private final GateHarness small = new GateHarness(true, 1).fresh();

    /** Asks three times, keeps what was allowed, and says how many. */
    private static List<Verdict> taken(GateHarness of, String caller) {
        List<Verdict> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Verdict verdict = of.check(caller);
            if (verdict.allowed()) {
                taken.add(verdict);
            }
        }
        return taken;
    }

    private static void end(List<Verdict> verdicts) {
        verdicts.forEach(Verdict::close);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerIsAllowedItsLimitAndIsToldWhenToAskAgain(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));

        List<Verdict> taken = taken(gates, "acme");
        assertThat(taken).hasSize(2);
        assertThat(gates.check("acme")).isInstanceOfSatisfying(Verdict.Rejected.class, rejected -> {
            assertThat(rejected.reason()).isEqualTo(Verdict.Reason.LIMITED);
            assertThat(rejected.policy()).isEqualTo("plans");
            assertThat(rejected.retryAfterMillis()).isEqualTo(algorithm.retryAfterMillis);
        });

        end(taken);
        gates.forward(algorithm.retryAfterMillis - 1);
        boolean early = gates.allows("acme");
        gates.forward(1);
        assertThat(early).isEqualTo(algorithm == EveryAlgorithm.CONCURRENCY);
        assertThat(gates.allows("acme")).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whatRemainsIsTold(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));
        assertThat(gates.check("acme").quota()).satisfies(quota -> {
            assertThat(quota.limit()).isEqualTo(2);
            assertThat(quota.remaining()).isEqualTo(1);
        });
        assertThat(gates.check("acme").quota().remaining()).isZero();
        assertThat(gates.check("acme").quota().remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aGateIsForgottenOnceNothingCountsAnyMoreAndNoVerdictChanges(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));
        List<Verdict> taken = taken(gates, "acme");
        gates.forward(algorithm.idleAfterMillis - 1);
        gates.decisions.sweep(gates.now());
        assertThat(gates.decisions.gates()).isEqualTo(1);

        end(taken);
        gates.forward(1);
        gates.decisions.sweep(gates.now());
        assertThat(gates.decisions.gates()).isZero();
        assertThat(taken(gates, "acme")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aLimiterThatIsForgottenWhileItIsAskedIsLookedForAgain(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));
        end(taken(gates, "acme"));
        for (int i = 0; i < 3; i++) {
            gates.forward(200_000);
            gates.decisions.sweep(gates.now());
            List<Verdict> taken = taken(gates, "acme");
            assertThat(taken).hasSize(2);
            end(taken);
        }
        assertThat(gates.decisions.gates()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatComesLateFromBeforeASweepGetsNothingFromBeforeIt(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));
        end(taken(gates, "acme"));
        gates.forward(algorithm.idleAfterMillis);
        gates.decisions.sweep(gates.now());
        Request request = Request.of("acme").service("orders").build();

        // it read the clock when the two that were taken still counted
        int late = 0;
        for (int i = 0; i < 3; i++) {
            late += gates.gatekeeper.check(request, gates.now() - 1).allowed() ? 1 : 0;
        }
        assertThat(late).isEqualTo(algorithm == EveryAlgorithm.CONCURRENCY ? 2 : late(algorithm));
    }

    /** A counter counts a late request in the newest window, and a bucket admits none before it was full. */
    private static int late(EveryAlgorithm algorithm) {
        return switch (algorithm) {
            case FIXED_WINDOW -> 2;
            case LEAKY_BUCKET, TOKEN_BUCKET -> 1;
            case SLIDING_LOG, SLIDING_WINDOW, CONCURRENCY -> 0;
        };
    }

    @ParameterizedTest
    @EnumSource
    void pastTheCapUnknownCallersShareOneLimiterAndKnownOnesKeepTheirs(EveryAlgorithm algorithm) {
        small.policies(algorithm.policy("plans"));
        assertThat(small.allows("known")).isTrue();
        assertThat(small.allows("x")).isTrue();
        assertThat(small.allows("y")).isTrue();
        assertThat(small.allows("z")).isFalse();
        assertThat(taken(small, "known")).hasSize(1);
        assertThat(small.decisions.gates()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void whoIsPromotedFromTheSharedLimiterIsGivenNoSecondBurst(EveryAlgorithm algorithm) {
        small.policies(algorithm.policy("plans"));
        Verdict first = small.check("known");
        small.forward(algorithm.idleAfterMillis);
        first.close();
        // x may take one more of the shared limiter after the room is its own, or none: it never takes two
        Verdict shared = small.check("x");
        small.decisions.sweep(small.now());
        assertThat(small.decisions.gates()).isZero();

        List<Verdict> promoted = taken(small, "x");
        assertThat(promoted).hasSize(algorithm == EveryAlgorithm.CONCURRENCY ? 1 : 0);
        assertThat(small.decisions.gates()).isEqualTo(1);

        end(promoted);
        shared.close();
        small.forward(2 * algorithm.idleAfterMillis);
        assertThat(taken(small, "x")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aLaterRejectionGivesBackWhatCanBeGivenBack(EveryAlgorithm algorithm) {
        String never = "{\"name\":\"tight\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}";
        gates.policies(never);
        gates.check("acme");
        gates.policies(algorithm.policy("wide"), never);
        for (int i = 0; i < 2; i++) {
            assertThat(gates.asked("acme")).isEqualTo("LIMITED by tight");
        }
        gates.policies(algorithm.policy("wide"));
        assertThat(taken(gates, "acme")).hasSize(algorithm.givenBack ? 2 : 0);
    }

    @ParameterizedTest
    @EnumSource
    void aLockedRequestIsNotCharged(EveryAlgorithm algorithm) {
        gates.policies(
                algorithm.policy("plans"),
                "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}");
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(taken(gates, "acme")).isEmpty();
        gates.lock(gates.lockOf("noisy", "acme", Mode.OPEN, 0, gates.version(1)));
        assertThat(taken(gates, "acme")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aShadowLimitCountsLetsPassAtOnceAndTakesNothingFromOthers(EveryAlgorithm algorithm) {
        gates.policies(("{'name':'plans','per':['caller'],'limit':{" + algorithm.limit() + "},'overrides':["
                        + "{'match':{'route':'/tried'},'limit':{'shadow':true}}]}")
                .replace('\'', '"'));
        Request tried = Request.of("acme").service("orders").route("/tried").build();
        for (int i = 0; i < 5; i++) {
            Verdict verdict = gates.check(tried);
            assertThat(verdict.allowed()).isTrue();
            assertThat(verdict.delayNanos()).isZero();
            assertThat(verdict.quota()).isNull();
        }
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("plans", 3L);
        assertThat(taken(gates, "acme")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void limitsOfTwoAlgorithmsThatAlternateDontStartEachOtherAnew(EveryAlgorithm algorithm) {
        EveryAlgorithm other =
                algorithm == EveryAlgorithm.TOKEN_BUCKET ? EveryAlgorithm.SLIDING_LOG : EveryAlgorithm.TOKEN_BUCKET;
        gates.policies(("{'name':'plans','per':['caller'],'overrides':["
                        + "{'match':{'route':'/a'},'limit':{" + algorithm.limit() + "}},"
                        + "{'match':{'route':'/b'},'limit':{" + other.limit() + "}}]}")
                .replace('\'', '"'));
        int allowed = 0;
        for (int i = 0; i < 10; i++) {
            String route = i % 2 == 0 ? "/a" : "/b";
            Request request = Request.of("acme").service("orders").route(route).build();
            allowed += gates.check(request).allowed() ? 1 : 0;
        }
        assertThat(allowed).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aChangeOfPoliciesStartsNoLimiterAnew(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));
        taken(gates, "acme");
        gates.policies(algorithm.policy("plans"), "{\"name\":\"more\",\"per\":[],\"limit\":{\"rate\":\"9/s\"}}");
        assertThat(taken(gates, "acme")).isEmpty();
    }
}

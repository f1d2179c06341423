package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.CentralStrategies;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A limit is granted to the last permit, and never exceeded, whatever the number of clients. */
interface CountingContract extends ContractFixture {
    int CLIENTS = 4;
    int THREADS_EACH = 2;

    @ParameterizedTest
    @MethodSource("algorithms")
    default void limit_isGrantedToTheLastPermit(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("all");

        for (int left = 9; left >= 0; left--) {
            assertThat(Asked.acquire(client, limit, subject, 1)).isEqualTo(QuotaAnswer.granted(0, left));
        }
        QuotaAnswer refused = Asked.acquire(client, limit, subject, 1);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.charge()).isZero();
        assertThat(refused.remaining()).isZero();
        assertThat(refused.retryAfterNanos()).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(Limits.DAY + 1_000));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void severalPermits_areTakenAllOrNone(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("several");

        assertThat(Asked.acquire(client, limit, subject, 3)).isEqualTo(QuotaAnswer.granted(0, 7));
        assertThat(Asked.acquire(client, limit, subject, 6)).isEqualTo(QuotaAnswer.granted(0, 1));
        QuotaAnswer refused = Asked.acquire(client, limit, subject, 2);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.remaining()).isEqualTo(1);
        assertThat(Asked.acquire(client, limit, subject, 1)).isEqualTo(QuotaAnswer.granted(0, 0));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void moreThanTheLimitEverHas_isNever_andTakesNothing(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("never");

        QuotaAnswer refused = Asked.acquire(client, limit, subject, 11);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.retryAfterNanos()).isEqualTo(QuotaAnswer.NEVER);
        assertThat(Asked.acquire(client, limit, subject, 10)).isEqualTo(QuotaAnswer.granted(0, 0));
        assertThat(Asked.acquire(client, limit, subject, 11).retryAfterNanos()).isEqualTo(QuotaAnswer.NEVER);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void limitOfNothing_admitsNothing(Algorithm algorithm) {
        QuotaLimit nothing = new QuotaLimit("policy", "", algorithm, 0, 1_000, 1);

        QuotaAnswer refused = Asked.acquire(connect(), nothing, Limits.subject("nothing"), 1);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.retryAfterNanos()).isEqualTo(QuotaAnswer.NEVER);
    }

    @Test
    default void algorithms_areThoseThatPoliciesAreCheckedFor() {
        assertThat(connect().algorithms())
                .isEqualTo(CentralStrategies.algorithms().get(strategy()));
    }

    @Test
    default void quotas_differByPolicySlotAndSubject() {
        QuotaStrategy client = connect();
        Algorithm algorithm = algorithms().iterator().next();
        String name = Limits.subject("a");
        // braces, controls and other scripts are texts like any
        List<String> subjects = List.of(
                name,
                name.replace("a-", "}{a-"),
                name.replace("a-", "ä✓-"),
                "[\"" + "x".repeat(2_000) + "\"," + name.substring(1));
        for (String policy : List.of("one", "one-two")) {
            for (String slot : List.of("", "two", "[\"\"]:")) {
                QuotaLimit limit = new QuotaLimit(policy, slot, algorithm, 1, Limits.DAY, 1);
                for (String subject : subjects) {
                    assertThat(Asked.takeAll(client, limit, subject, 3))
                            .as("%s %s", limit, subject)
                            .isOne();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void manyClients_shareExactlyTheLimit(Algorithm algorithm) throws Exception {
        int permits = 400;
        QuotaLimit limit = Limits.daily(algorithm, permits);
        String subject = Limits.subject("shared");
        List<Callable<Integer>> takers = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            QuotaStrategy strategy = connect();
            for (int thread = 0; thread < THREADS_EACH; thread++) {
                takers.add(() -> Asked.takeAll(strategy, limit, subject, permits + 1));
            }
        }

        int granted = Crowd.run(takers).stream().mapToInt(x -> x).sum();

        assertThat(granted).isBetween(permits - (int) (CLIENTS * ahead(permits)), permits);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("algorithms")
    default void manyClients_exceedTheLimitInNoSpan(Algorithm algorithm) throws Exception {
        int permits = 60;
        QuotaLimit limit = Limits.of(algorithm, permits, 300);
        String subject = Limits.subject("span");
        GrantLog log = new GrantLog();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_500);
        List<Callable<Integer>> takers = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            QuotaStrategy strategy = connect();
            for (int thread = 0; thread < THREADS_EACH; thread++) {
                takers.add(() -> take(strategy, limit, subject, log, end, 2 * permits));
            }
        }

        Crowd.run(takers);

        assertThat(log.size()).isGreaterThan(permits);
        assertThat(log.excess(limit)).isLessThanOrEqualTo((double) CLIENTS * ahead(permits));
    }

    /** Takes until a moment, and further until all have been granted enough: a slow machine only takes longer. */
    private static int take(
            QuotaStrategy strategy, QuotaLimit limit, String subject, GrantLog log, long end, int enough) {
        long latest = end + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < end || (log.size() < enough && System.nanoTime() < latest)) {
            long asked = System.nanoTime();
            QuotaAnswer answer = Asked.acquire(strategy, limit, subject, 1);
            if (answer.granted()) {
                log.add(asked, System.nanoTime());
            } else {
                Limits.park(System.nanoTime() + Math.min(answer.retryAfterNanos(), TimeUnit.MILLISECONDS.toNanos(5)));
            }
        }
        return 0;
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("algorithms")
    default void twoClients_raceForTheLastPermit_oneGetsIt(Algorithm algorithm) throws Exception {
        QuotaStrategy one = connect();
        QuotaStrategy other = connect();
        for (int round = 0; round < 50; round++) {
            QuotaLimit limit = Limits.daily(algorithm, 1);
            String subject = Limits.subject("race");
            List<Callable<Boolean>> racers = List.of(
                    () -> Asked.acquire(one, limit, subject, 1).granted(),
                    () -> Asked.acquire(other, limit, subject, 1).granted());

            assertThat(Crowd.run(racers)).containsExactlyInAnyOrder(true, false);
        }
    }
}

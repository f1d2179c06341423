package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While the store is dead, frozen or slow, calls end exceptionally or late; the same client works again after it, without a second burst. */
interface FaultContract extends ContractFixture {

    @ParameterizedTest
    @MethodSource("algorithms")
    default void killed_callsEnd_andSucceedAfterTheRestart(Algorithm algorithm) throws Exception {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("killed");
        int granted = Asked.takeAll(client, limit, subject, 4);

        centre().server().kill();
        int meanwhile = 0;
        for (int call = 0; call < 3; call++) {
            meanwhile += grants(
                    client.acquire(List.of(Asked.charge(limit, subject, 1))).toCompletableFuture());
        }
        centre().server().restart();
        awaitAnswer(client, algorithm);

        assertThat(granted).isEqualTo(4);
        assertThat((long) meanwhile).isLessThanOrEqualTo(ahead(10));
        int after = Asked.takeAll(client, limit, subject, 20);
        assertThat(after).isBetween(1, centre().keepsQuotas() ? 6 - meanwhile : 10 + (int) ahead(10));
    }

    @Test
    default void madeWhileTheStoreIsDead_worksOnceItIsThere() throws Exception {
        Algorithm algorithm = algorithms().iterator().next();
        centre().server().kill();

        QuotaStrategy client = connect();
        assertThatThrownBy(() -> Asked.acquire(client, Limits.daily(algorithm, 1), Limits.subject("dead"), 1))
                .isInstanceOf(Exception.class);
        centre().server().restart();

        awaitAnswer(client, algorithm);
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("algorithms")
    default void frozen_callsBlockNoThread_andSucceedAfterIt(Algorithm algorithm) throws Exception {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("frozen");
        int granted = Asked.takeAll(client, limit, subject, 4);
        List<CompletableFuture<QuotaAnswer>> calls = new ArrayList<>();

        centre().server().freeze();
        // a call that blocks would hang here: the store is thawed afterwards
        for (int call = 0; call < Seeds.of(4_000, 20_000); call++) {
            calls.add(client.acquire(List.of(Asked.charge(limit, subject, 1))).toCompletableFuture());
        }
        centre().server().thaw();
        for (CompletableFuture<QuotaAnswer> call : calls) {
            granted += grants(call);
        }
        awaitAnswer(client, algorithm);

        assertThat(granted + Asked.takeAll(client, limit, subject, 20)).isBetween(4, 10);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("algorithms")
    default void slow_callsEnd_andNothingIsGrantedTwice(Algorithm algorithm) throws Exception {
        int permits = 100;
        QuotaLimit limit = Limits.daily(algorithm, permits);
        String subject = Limits.subject("slow");
        AtomicInteger granted = new AtomicInteger();
        List<Callable<Void>> tasks = new ArrayList<>();
        AtomicInteger running = new AtomicInteger(4);
        for (int thread = 0; thread < 4; thread++) {
            QuotaStrategy client = connect();
            tasks.add(() -> {
                try {
                    for (int call = 0; call < 60; call++) {
                        granted.addAndGet(grants(client.acquire(List.of(Asked.charge(limit, subject, 1)))
                                .toCompletableFuture()));
                    }
                } finally {
                    running.decrementAndGet();
                }
                return null;
            });
        }
        tasks.add(() -> {
            while (running.get() > 0) {
                centre().server().freeze();
                Limits.park(System.nanoTime() + 20_000_000);
                centre().server().thaw();
                Limits.park(System.nanoTime() + 5_000_000);
            }
            return null;
        });

        Crowd.run(tasks);
        QuotaStrategy client = connect();
        awaitAnswer(client, algorithm);

        assertThat(granted.get() + Asked.takeAll(client, limit, subject, permits + 1))
                .isBetween(1, permits);
    }

    @Test
    default void closed_callsFail() {
        Algorithm algorithm = algorithms().iterator().next();
        QuotaLimit limit = Limits.daily(algorithm, 1);
        QuotaStrategy client = connect();
        Asked.acquire(client, limit, Limits.subject("open"), 1);

        client.close();

        assertThatThrownBy(() -> Asked.acquire(client, limit, Limits.subject("closed"), 1))
                .isInstanceOf(Exception.class);
        assertThatThrownBy(() -> Asked.adjust(client, limit, Limits.subject("closed"), 1))
                .isInstanceOf(Exception.class);
        client.close();
    }

    private static int grants(CompletableFuture<QuotaAnswer> call) {
        try {
            return Asked.result(call).granted() ? 1 : 0;
        } catch (RuntimeException failed) {
            return 0;
        }
    }

    private static void awaitAnswer(QuotaStrategy client, Algorithm algorithm) {
        await("the same client to be answered again")
                .ignoreExceptions()
                .until(() -> Asked.acquire(client, Limits.daily(algorithm, 1), Limits.subject("probe"), 1)
                        .granted());
    }
}

package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Charges are corrected in both directions: never above what the limit has, and below zero. */
interface CorrectionContract extends ContractFixture {

    @ParameterizedTest
    @MethodSource("algorithms")
    default void returnedPermits_areGrantedAgain(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("returned");
        Asked.acquire(client, limit, subject, 6);
        Asked.acquire(client, limit, subject, 4);

        Asked.adjust(client, limit, subject, -7);

        assertThat(Asked.takeAll(client, limit, subject, 20)).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void returnedPermits_exceedTheLimitNever(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String charged = Limits.subject("charged");
        String never = Limits.subject("never-charged");
        Asked.acquire(client, limit, charged, 1);
        Asked.acquire(client, limit, charged, 1);

        Asked.adjust(client, limit, charged, -10);
        Asked.adjust(client, limit, never, -5);

        assertThat(Asked.takeAll(client, limit, charged, 20)).isEqualTo(10);
        assertThat(Asked.takeAll(client, limit, never, 20)).isEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void chargedBeyondTheLimit_isOwed(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String subject = Limits.subject("owed");
        Asked.acquire(client, limit, subject, 8);

        Asked.adjust(client, limit, subject, 5);
        assertThat(Asked.acquire(client, limit, subject, 1).remaining()).isZero();
        Asked.adjust(client, limit, subject, -3);
        assertThat(Asked.takeAll(client, limit, subject, 20)).isZero();
        Asked.adjust(client, limit, subject, -1);
        assertThat(Asked.takeAll(client, limit, subject, 20)).isOne();

        if (algorithm == Algorithm.TOKEN_BUCKET) {
            Asked.adjust(client, limit, subject, 5);
            assertThat(Asked.acquire(client, limit, subject, 1).retryAfterNanos())
                    .isGreaterThan(5 * TimeUnit.MILLISECONDS.toNanos(Limits.DAY) / 10);
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void absurdCorrections_areBounded_andTheOthersOfTheirCallApplied(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String absurd = Limits.subject("absurd");
        String neighbour = Limits.subject("neighbour");
        for (int i = 0; i < 3; i++) {
            Asked.result(client.adjust(List.of(
                            new QuotaCharge(limit, absurd, absurd, Long.MAX_VALUE),
                            new QuotaCharge(limit, neighbour, absurd, 2)))
                    .toCompletableFuture());
        }

        assertThat(Asked.acquire(client, limit, absurd, 1))
                .matches(answer -> !answer.granted() && answer.remaining() == 0);
        assertThat(Asked.acquire(client, limit, absurd, Long.MAX_VALUE).retryAfterNanos())
                .isEqualTo(QuotaAnswer.NEVER);
        assertThat(Asked.acquire(client, List.of(new QuotaCharge(limit, neighbour, absurd, 1)))
                        .remaining())
                .isEqualTo(3);

        for (int i = 0; i < 2; i++) {
            Asked.adjust(client, limit, absurd, -Long.MAX_VALUE);
        }
        assertThat(Asked.takeAll(client, limit, absurd, 20)).isEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void severalCorrections_areAllApplied(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String route = Limits.subject("org");
        String tenant = Limits.subject("tenant");
        QuotaLimit organisations = Limits.daily("organisations", algorithm, 10);
        List<QuotaCharge> charges =
                List.of(new QuotaCharge(limit, tenant, route, 3), new QuotaCharge(organisations, route, route, -2));
        Asked.acquire(client, organisations, route, 5);

        Asked.result(client.adjust(charges).toCompletableFuture());

        assertThat(Asked.acquire(client, List.of(new QuotaCharge(limit, tenant, route, 1)))
                        .remaining())
                .isEqualTo(6);
        assertThat(Asked.acquire(client, organisations, route, 1).remaining()).isEqualTo(6);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void correctionsOfManySubjectsOfOneRoute_areAllApplied(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.daily(algorithm, 10);
        String route = Limits.subject("org");
        List<String> subjects =
                Stream.generate(() -> Limits.subject("tenant")).limit(150).toList();

        Asked.result(client.adjust(subjects.stream()
                        .map(subject -> new QuotaCharge(limit, subject, route, 3))
                        .toList())
                .toCompletableFuture());

        assertThat(subjects)
                .allSatisfy(subject -> assertThat(
                                Asked.acquire(client, List.of(new QuotaCharge(limit, subject, route, 1)))
                                        .remaining())
                        .isEqualTo(6));
    }
}

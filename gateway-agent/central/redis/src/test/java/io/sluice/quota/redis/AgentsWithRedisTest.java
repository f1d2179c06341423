package io.sluice.quota.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStatus.State;
import io.sluice.agent.verdict.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two agents that count in one real Redis, without Kafka. */
@Tag("server")
class AgentsWithRedisTest {
    private static final byte[] POLICIES = """
            {"policies":[
              {"name":"all","per":[],"limit":{"rate":"1/h","burst":1000,"scope":"fleet","strategy":"redis"}},
              {"name":"callers","per":["caller"],
               "limit":{"rate":"1/h","burst":40,"scope":"fleet","strategy":"redis","under":"all"}}]}
            """.getBytes(StandardCharsets.UTF_8);

    private static final int MOST_ROUNDS = 10;

    private static GateAgent agent(RedisCentre redis) {
        return GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(POLICIES)
                .quotaStrategy(new RedisQuotaProvider().create(redis.settings()))
                .quotaWait(Duration.ofSeconds(10))
                .build();
    }

    private static Verdict check(GateAgent agent, String caller) {
        return agent.check(Request.of(caller).service("orders").build());
    }

    private static State state(GateAgent agent) {
        return agent.quotas().get(0).state();
    }

    /** Waits until both ask the store for each request. */
    private static void awaitAsking(GateAgent one, GateAgent other) {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            check(one, "prober");
            check(other, "prober");
            return state(one) == State.CLOSED && state(other) == State.CLOSED;
        });
    }

    /** How many requests were decided without the store: on a machine that stands still for longer than a check waits, some are. */
    private static long withoutStore(GateAgent agent) {
        QuotaStatus status = agent.quotas().get(0);
        return status.failed() + status.timedOut() + status.degraded();
    }

    /** How many of sixty requests of a caller are admitted; of another caller where not all of them were decided by the store. */
    private static int admittedByBoth(GateAgent one, GateAgent other, String caller) {
        for (int round = 0; ; round++) {
            assertThat(round).as("rounds in which checks waited in vain").isLessThan(MOST_ROUNDS);
            awaitAsking(one, other);
            long before = withoutStore(one) + withoutStore(other);
            int admitted = 0;
            Verdict last = null;
            for (int i = 0; i < 60; i++) {
                last = check(i % 3 == 0 ? one : other, caller + "-" + round);
                admitted += last.allowed() ? 1 : 0;
            }
            if (withoutStore(one) + withoutStore(other) == before) {
                assertThat(last)
                        .isInstanceOfSatisfying(
                                Verdict.Rejected.class,
                                it -> assertThat(it.reason()).isEqualTo(Verdict.Reason.LIMITED));
                return admitted;
            }
        }
    }

    @Test
    void twoAgents_admitTheLimitExactly_degradeWithoutRedis_andComeBack() throws Exception {
        try (RedisCentre redis = RedisCentre.start();
                GateAgent one = agent(redis);
                GateAgent other = agent(redis)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                check(one, "first");
                check(other, "first");
                return one.quotas().get(0).granted() > 0
                        && other.quotas().get(0).granted() > 0;
            });
            assertThat(admittedByBoth(one, other, "acme")).isEqualTo(40);

            redis.server().kill();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> check(one, "bolt") instanceof Verdict.Rejected rejected
                            && rejected.reason() == Verdict.Reason.LIMITED_BY_SHARE);
            assertThat(one.reasons()).contains("the strategy redis does not answer; this agent applies its share");

            redis.server().restart();
            awaitAsking(one, other);
            assertThat(check(one, "bolt").allowed())
                    .as("what was granted by the share is charged")
                    .isFalse();
            assertThat(admittedByBoth(one, other, "cargo")).isEqualTo(40);
        }
    }
}

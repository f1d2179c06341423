package io.sluice.quota.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches of corrections as agents send them after an outage, by a client that may wait for one request only. */
@Tag("server")
class TokenServerCorrectionsTest {
    private static final QuotaLimit TEN = new QuotaLimit("ten", "", Algorithm.TOKEN_BUCKET, 10, 86_400_000, 10);

    private ServerProcess server;
    private QuotaStrategy client;

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.start();
        client = new TokenServerProvider()
                .create(Map.of("servers", server.address(), "timeout", "60s", "in-flight", "1"));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static List<QuotaCharge> charges(int count, long permits, IntFunction<String> route) {
        return IntStream.range(0, count)
                .mapToObj(i -> new QuotaCharge(TEN, "[\"" + i + "\"]", route.apply(i), permits))
                .toList();
    }

    private void assertAllAreCharged(IntFunction<String> route) throws Exception {
        client.adjust(charges(150, 3, route)).toCompletableFuture().get(2, TimeUnit.MINUTES);

        for (QuotaCharge charge : charges(150, 1, route)) {
            QuotaAnswer answer =
                    client.acquire(List.of(charge)).toCompletableFuture().get(2, TimeUnit.MINUTES);
            assertThat(answer.remaining()).as(charge.subject()).isEqualTo(6);
        }
    }

    @Test
    void adjust_ofMoreSubjectsOfOneRouteThanAMessageHolds_chargesAll() throws Exception {
        assertAllAreCharged(subject -> "[]");
    }

    @Tag("full")
    @Test
    void adjust_ofMoreRoutesThanRequestsMayWait_chargesAll() throws Exception {
        assertAllAreCharged(subject -> "[\"" + subject + "\"]");
    }
}

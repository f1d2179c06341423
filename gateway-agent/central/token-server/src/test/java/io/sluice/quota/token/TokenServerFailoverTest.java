package io.sluice.quota.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.quota.chunks.RendezvousHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three real servers, a limit of 100 a day: one permit returns in 14 minutes, so none in a test; a chunk is 10. */
@Tag("server")
class TokenServerFailoverTest {
    private static final int CHUNK = 10;
    private static final QuotaLimit HUNDRED =
            new QuotaLimit("hundred", "", Algorithm.TOKEN_BUCKET, 100, 86_400_000, 100);
    private static final String SUBJECT = "[\"acme\"]";

    private final Map<String, ServerProcess> servers = new LinkedHashMap<>();
    private QuotaStrategy client;

    @BeforeEach
    void start() throws Exception {
        for (int i = 0; i < 3; i++) {
            ServerProcess server = ServerProcess.start();
            servers.put(server.address(), server);
        }
        client = client("1m");
    }

    private QuotaStrategy client(String timeout) {
        return new TokenServerProvider()
                .create(Map.of("servers", String.join(",", servers.keySet()), "timeout", timeout, "probe", "100ms"));
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        for (ServerProcess server : servers.values()) {
            server.thaw();
            server.close();
        }
    }

    private ServerProcess ranked(int rank) {
        return servers.get(new RendezvousHash(servers.keySet()).ranked(SUBJECT).get(rank));
    }

    private static QuotaAnswer acquire(QuotaStrategy from, QuotaCharge... charges) throws Exception {
        return from.acquire(List.of(charges)).toCompletableFuture().get(2, TimeUnit.MINUTES);
    }

    private static QuotaCharge charge(String subject, long permits) {
        return new QuotaCharge(HUNDRED, subject, subject, permits);
    }

    /** Takes one by one until refused; failed calls are repeated. */
    private int takeAll(QuotaStrategy from) throws Exception {
        int granted = 0;
        while (true) {
            try {
                if (!acquire(from, charge(SUBJECT, 1)).granted()) {
                    return granted;
                }
                granted++;
            } catch (java.util.concurrent.ExecutionException late) {
                assertThat(late).hasMessageContaining("token server");
            }
        }
    }

    /** Asks for so many subjects that each server owns one, until all were answered in time. */
    private static void connectToAll(QuotaStrategy from) {
        for (int i = 0; i < 30; i++) {
            QuotaCharge one = charge("[\"warm-" + i + "\"]", 1);
            Awaitility.await("an answer in time")
                    .ignoreExceptions()
                    .until(() -> acquire(from, one).granted());
        }
    }

    /** Waits until the owner is asked again: its buckets are one more. */
    private void awaitReturn(QuotaStrategy from, long before) {
        String[] other = {SUBJECT};
        RendezvousHash hash = new RendezvousHash(servers.keySet());
        for (int i = 0; !hash.pick(other[0]).equals(hash.pick(SUBJECT)) || other[0].equals(SUBJECT); i++) {
            other[0] = "[\"other-" + i + "\"]";
        }
        Awaitility.await("the owner to be asked again").ignoreExceptions().until(() -> {
            acquire(from, charge(other[0], 1));
            return ranked(0).buckets() > before;
        });
    }

    @Test
    void killedServer_costsOneChunk_andItsReturnAnother() throws Exception {
        assertThat(acquire(client, charge(SUBJECT, 60)).granted()).isTrue();
        assertThat(ranked(0).buckets()).isEqualTo(1);

        ranked(0).kill();
        assertThat(takeAll(client)).isEqualTo(CHUNK);
        assertThat(ranked(1).buckets()).isEqualTo(1);

        ranked(0).start("chunk");
        awaitReturn(client, 0);
        assertThat(takeAll(client)).isEqualTo(CHUNK);
    }

    @Test
    @Tag("full")
    void frozenServer_costsOneChunk_andItsReturnNoSecondBurst() throws Exception {
        // by the patient client, and first: three late answers to the other one would hold the bucket to a chunk
        // already
        assertThat(acquire(client, charge(SUBJECT, 50)).granted()).isTrue();
        // not too impatient: if the next server were late three times as well, a third one would give a chunk, too
        try (QuotaStrategy impatient = client("7s")) {
            connectToAll(impatient);
            long before = ranked(0).buckets();
            ranked(0).freeze();
            int meanwhile = takeAll(impatient);
            assertThat(meanwhile).isBetween(1, CHUNK);

            ranked(0).thaw();
            awaitReturn(impatient, before);

            // 50 were left in its bucket when it froze
            assertThat(takeAll(impatient)).isLessThanOrEqualTo(CHUNK);
        }
    }

    @Test
    @Tag("full")
    void manyDeaths_eachCostAChunk() throws Exception {
        assertThat(acquire(client, charge(SUBJECT, 100)).granted()).isTrue();
        int granted = 0;
        for (int death = 0; death < 3; death++) {
            ranked(0).kill();
            granted += takeAll(client);
            ranked(0).start("chunk");
            awaitReturn(client, 0);
            granted += takeAll(client);
        }
        assertThat(granted).isBetween(1, 6 * CHUNK);
    }

    @Tag("full")
    @Test
    void allServersDead_failsAndWorksOnceOneIsBack() throws Exception {
        for (ServerProcess server : servers.values()) {
            server.kill();
        }
        assertThatThrownBy(() -> acquire(client, charge(SUBJECT, 1))).hasMessageContaining("token server");
        assertThatThrownBy(() -> acquire(client, charge(SUBJECT, 1))).hasMessageContaining("no token server answers");

        ranked(2).start("chunk");

        Awaitility.await("an answer")
                .ignoreExceptions()
                .until(() -> acquire(client, charge(SUBJECT, 1)).granted());
    }

    @Test
    @Tag("full")
    void subjects_areSpread_andOneRouteStaysTogether() throws Exception {
        for (int i = 0; i < 60; i++) {
            acquire(client, charge("[\"" + i + "\"]", 1));
        }
        List<Long> buckets = new ArrayList<>();
        for (ServerProcess server : servers.values()) {
            buckets.add(server.buckets());
        }
        assertThat(buckets).allSatisfy(count -> assertThat(count).isBetween(5L, 40L));
        assertThat(buckets.stream().collect(Collectors.summingLong(x -> x))).isEqualTo(60);
        for (int i = 0; i < 20; i++) {
            assertThat(acquire(client, new QuotaCharge(HUNDRED, "[\"tenant-" + i + "\"]", SUBJECT, 1))
                            .granted())
                    .isTrue();
        }
        assertThat(ranked(0).buckets())
                .isEqualTo(20 + buckets.get(List.copyOf(servers.values()).indexOf(ranked(0))));
    }

    @Tag("full")
    @Test
    void chargesOfSeveralRoutes_areTakenAllOrNone() throws Exception {
        QuotaCharge[] both = {charge("[\"a\"]", 60), charge("[\"b\"]", 60)};
        acquire(client, charge("[\"b\"]", 50));

        QuotaAnswer refused = acquire(client, both);

        assertThat(refused.granted()).isFalse();
        assertThat(refused.charge()).isEqualTo(1);
        Awaitility.await("the first charge to be returned")
                .until(() -> acquire(client, charge("[\"a\"]", 1)).remaining() > 50);
        assertThat(acquire(client, charge("[\"a\"]", 30), charge("[\"b\"]", 30)).granted())
                .isTrue();
    }
}

package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store forgets a subject once its quota is unused again, so that invented subjects fill neither memory nor disk. */
interface ExpiryContract extends ContractFixture {
    int IN_FLIGHT = 20;
    /** Subjects of one call, as of a hierarchy: one call each takes a database half an hour. */
    int EACH = 50;

    /** How often the store's quotas are counted meanwhile. */
    int LOOKS = 20;

    @Test
    @Tag(Seeds.TAG)
    default void subjects_expire() throws Exception {
        QuotaStrategy client = connect();
        List<QuotaLimit> limits =
                algorithms().map(algorithm -> Limits.of(algorithm, 1, 3_000)).toList();
        Asked.acquire(client, limits.get(0), Limits.subject("first"), 1);
        long before = centre().quotas();
        Semaphore inFlight = new Semaphore(IN_FLIGHT);
        AtomicLong granted = new AtomicLong();
        long most = 0;
        int count = inventedSubjects();
        for (int i = 0; i < count; i += EACH) {
            inFlight.acquire();
            String route = Limits.subject("route");
            QuotaLimit limit = limits.get(i / EACH % limits.size());
            List<QuotaCharge> charges = Stream.generate(() -> Limits.subject("invented"))
                    .limit(EACH)
                    .map(subject -> new QuotaCharge(limit, subject, route, 1))
                    .toList();
            client.acquire(charges).whenComplete((answer, failure) -> {
                if (failure == null && answer.granted()) {
                    granted.addAndGet(EACH);
                }
                inFlight.release();
            });
            // counting reads all of them
            if (i % (count / LOOKS) == 0) {
                most = Math.max(most, centre().quotas());
            }
        }
        inFlight.acquire(IN_FLIGHT);

        assertThat(granted.get()).isEqualTo(count);
        assertThat(most).isGreaterThan(before);
        await("all of them to be removed").atMost(Duration.ofMinutes(10)).until(() -> centre().quotas() <= before);
    }
}

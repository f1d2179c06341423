package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests written in transactions: the marker that ends one is in the log and is no request. */
@Tag("server")
@Tag("full")
class TransactionalRequestsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuietLogIsReadUpToNowThoughATransactionEndsIt(boolean exactlyOnce) throws Exception {
        try (TestFleet fleet = new TestFleet(directory, 1)) {
            Analyzer analyzer = fleet.start(fleet.options("a", TestPolicies.above(100), exactlyOnce));
            fleet.awaitReady();
            TestKafka.sendInTransaction(fleet.topics.requests(), List.of(TestFleet.event("acme")));
            await().atMost(PATIENCE).until(() -> analyzer.counts().getOrDefault(Count.EVENTS, 0L) == 1);
            long handled = System.currentTimeMillis();

            await().atMost(PATIENCE).until(() -> readUpTo(analyzer) > handled + 2_000);

            assertThat(analyzer.running()).isTrue();
        }
    }

    private static long readUpTo(Analyzer analyzer) {
        return System.currentTimeMillis() - analyzer.lag().orElse(Long.MAX_VALUE / 2);
    }
}

package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchesTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final Policy POLICY = TestPolicies.above(60).policies().get(0);
    private static final long WINDOW = POLICY.window().millis();

    private final DetectedPolicy policy = new DetectedPolicy(POLICY, 65_000);
    private final List<UsageKey> watched = new ArrayList<>();
    private int visits;

    /** Counts how often all entries are visited. */
    private final Map<UsageKey, Long> ends = new HashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        public Collection<Long> values() {
            visits++;
            return super.values();
        }
    };

    private final Watches watches = new Watches(4, key -> false, (key, end) -> watched.add(key), ends);

    private void ask(String caller, long time) {
        watches.ask(new UsageKey(POLICY.revision(), List.of(caller)), policy, time);
    }

    private void full() {
        for (int i = 0; i < Watches.MOST_WITH_ASKED; i++) {
            ask("caller-" + i, TIME + i);
        }
        assertThat(watched).hasSize(Watches.MOST_WITH_ASKED);
        visits = 0;
    }

    @Test
    void watches_full_areNotVisitedForEachFurtherSubject() {
        full();

        for (int i = 0; i < 1_000; i++) {
            ask("further-" + i, TIME + WINDOW);
        }

        assertThat(watched).hasSize(Watches.MOST_WITH_ASKED);
        assertThat(visits).isZero();
    }

    @Test
    void watches_thatHaveEnded_makeRoom() {
        full();

        for (int i = 0; i < 10; i++) {
            ask("further-" + i, TIME + WINDOW + 3);
        }

        // those of TIME, TIME + 1 and TIME + 2
        assertThat(watched).hasSize(Watches.MOST_WITH_ASKED + 3).endsWith(key(0), key(1), key(2));
        assertThat(ends).hasSize(Watches.MOST_WITH_ASKED);
        assertThat(visits).isEqualTo(2);
    }

    @Test
    void watches_renewed_areNotRemovedAtTheirFormerEnd() {
        full();
        for (int i = 0; i < Watches.MOST_WITH_ASKED; i++) {
            ask("caller-" + i, TIME + WINDOW - 1);
        }
        assertThat(watched).hasSize(2 * Watches.MOST_WITH_ASKED);

        for (int i = 0; i < 1_000; i++) {
            ask("further-" + i, TIME + WINDOW + 1_000 + i);
        }

        assertThat(watched).hasSize(2 * Watches.MOST_WITH_ASKED);
        assertThat(visits).as("one sweep finds that they last").isEqualTo(2);
    }

    private static UsageKey key(int further) {
        return new UsageKey(POLICY.revision(), List.of("further-" + further));
    }
}

package io.sluice.benchmarks.reaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReactionsTest {
    private static final long MILLI = 1_000_000;
    private static final long SENT = 50 * MILLI;
    private static final long PATIENCE = 3_000 * MILLI;

    private static Crossing crossing(boolean counts, long... closedAfterMillis) {
        Crossing crossing = new Crossing("x", counts, 3, SENT, 0);
        for (long millis : closedAfterMillis) {
            crossing.closed(SENT + millis * MILLI);
        }
        return crossing;
    }

    @Test
    void aReactionLastsUntilTheLastGateIsClosed() {
        Crossing crossing = crossing(true, 4, 5, 9);

        assertThat(crossing.done()).isTrue();
        assertThat(crossing.untilFirst()).isEqualTo(4 * MILLI);
        assertThat(crossing.untilAll()).isEqualTo(9 * MILLI);
    }

    @Test
    void whileAGateIsOpenItIsNotDone() {
        assertThat(crossing(true, 4, 5).done()).isFalse();
    }

    @Test
    void percentilesAreOfThoseThatCount() {
        List<Crossing> crossings = new ArrayList<>();
        for (int millis = 1; millis <= 100; millis++) {
            crossings.add(crossing(true, millis, millis, millis));
        }
        crossings.add(crossing(false, 2_000, 2_000, 2_000));

        Reactions reactions = Reactions.of(crossings, PATIENCE, 5 * MILLI);

        assertThat(reactions.count()).isEqualTo(100);
        assertThat(reactions.lost()).isZero();
        assertThat(reactions.percentile(50)).isCloseTo(55, within(0.1));
        assertThat(reactions.percentile(99)).isCloseTo(104, within(0.1));
    }

    @Test
    void whatWasNeverSeenCountsAsLongAsWasWaited() {
        Reactions reactions = Reactions.of(List.of(crossing(true), crossing(true, 1, 1, 1)), PATIENCE, 0);

        assertThat(reactions.lost()).isEqualTo(1);
        assertThat(reactions.percentile(99)).isCloseTo(3_000, within(3.0));
    }
}

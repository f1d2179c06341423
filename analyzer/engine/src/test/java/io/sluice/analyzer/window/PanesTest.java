package io.sluice.analyzer.window;

import static io.sluice.analyzer.window.BlockTest.partial;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.UsageKey;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PanesTest {
    private static final Shape SHAPE = Shape.of(new Window(60_000, 60), 65_000);
    private static final long PANE = 1_763_700_000L;
    private static final UsageKey ACME = new UsageKey("p@1", List.of("acme"));

    private final InMemoryWindowStore store = new InMemoryWindowStore();
    private final Windows windows = new Windows(store, 's', TestBudgets.windows(10));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatWasWrittenIsReadAsTheTaskKnowsIt(long seed) {
        Random random = new Random(seed);
        for (int n = 0; n < 500; n++) {
            long pane = PANE + n / 2 + random.nextInt(20);
            windows.add(ACME, SHAPE, partial(pane, random.nextInt(10), random.nextInt(3), pane * 1000));
        }
        windows.flush();

        for (long last = PANE + 100; last < PANE + 280; last++) {
            Panes read = Panes.read(store, 's', ACME, SHAPE, last);

            HotWindow known = windows.at(ACME, SHAPE, last);
            assertThat(read.sum()).isEqualTo(known.admitted(last));
            assertThat(Arrays.stream(read.admitted()).sum()).isEqualTo(read.sum());
            assertThat(Arrays.stream(read.admittedCount()).sum()).isEqualTo(known.admittedCount(last));
            assertThat(Arrays.stream(read.rejectedCount()).sum()).isEqualTo(known.rejectedCount(last));
            assertThat(read.firstPane()).isEqualTo(last - 59);
        }
    }

    @Test
    void whatWasNotWrittenYetIsNotThereAndNobodyElses() {
        windows.add(ACME, SHAPE, partial(PANE, 5, 0, PANE * 1000));

        assertThat(Panes.read(store, 's', ACME, SHAPE, PANE).sum()).isZero();
        windows.flush();
        assertThat(Panes.read(store, 's', ACME, SHAPE, PANE).admitted()[59]).isEqualTo(5);
        assertThat(Panes.read(store, 's', ACME, SHAPE, PANE + 60).sum()).isZero();
        assertThat(Panes.read(store, 'g', ACME, SHAPE, PANE).sum()).isZero();
        assertThat(Panes.read(store, 's', new UsageKey("p@1", List.of("zen")), SHAPE, PANE)
                        .sum())
                .isZero();
    }
}

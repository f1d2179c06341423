package io.sluice.analyzer.window;

import static io.sluice.analyzer.window.BlockTest.partial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.TestBudgets;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.UsageKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
    private static final Shape SHAPE = Shape.of(new Window(60_000, 60), 65_000);
    private static final long PANE = 1_763_700_000L;

    /** Counts what is asked of it. */
    private static final class Watched implements WindowStore {
        final InMemoryWindowStore store = new InMemoryWindowStore();
        int reads;
        int writes;
        int unreadable;

        @Override
        public void unreadable() {
            unreadable++;
        }

        @Override
        public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
            reads++;
            return store.read(retention, key, blockStart);
        }

        @Override
        public void write(Retention retention, byte[] key, long blockStart, byte[] block) {
            writes++;
            store.write(retention, key, blockStart, block);
        }
    }

    private final Watched store = new Watched();
    private final Windows windows = new Windows(store, 's', TestBudgets.windows(10));

    private static UsageKey key(String caller) {
        return new UsageKey("p@1", List.of(caller));
    }

    private HotWindow add(String caller, long pane, long admitted) {
        return windows.add(key(caller), SHAPE, partial(pane, admitted, 0, pane * 1000));
    }

    @Test
    void aWindowSumsItsPanesAndNoOther() {
        add("acme", PANE - 60, 1);
        add("acme", PANE - 59, 10);
        add("acme", PANE, 100);

        assertThat(add("acme", PANE + 1, 1000).admitted(PANE)).isEqualTo(110);
    }

    @Test
    void anotherSubjectOrPrefixIsAnotherWindow() {
        add("acme", PANE, 1);
        windows.flush();
        Windows groups = new Windows(store, 'g', TestBudgets.windows(10));

        assertThat(add("emca", PANE, 2).admitted(PANE)).isEqualTo(2);
        assertThat(groups.at(key("acme"), SHAPE, PANE).admitted(PANE)).isZero();
    }

    @Test
    void whatWasNeverWrittenIsNotLookedFor() {
        windows.begin(Long.MIN_VALUE);

        add("acme", PANE, 1);

        assertThat(store.reads).isZero();
    }

    @Test
    void whatAnEarlierLifeWroteIsFoundByTheNext() {
        windows.begin(Long.MIN_VALUE);
        add("acme", PANE, 1);
        windows.flush();
        Windows next = new Windows(store, 's', TestBudgets.windows(10));

        next.begin(windows.newestStart());

        assertThat(next.at(key("acme"), SHAPE, PANE).admitted(PANE)).isEqualTo(1);
    }

    @Test
    void whatLeftTheHeapIsFoundAgain() {
        windows.begin(Long.MIN_VALUE);
        for (int i = 0; i < 30; i++) {
            add("caller" + i, PANE, i + 1);
        }

        for (int i = 0; i < 30; i++) {
            assertThat(windows.at(key("caller" + i), SHAPE, PANE).admitted(PANE))
                    .isEqualTo(i + 1);
        }
    }

    @Test
    void whatComesInManyPanesTakesTheRoomOfMany() {
        Windows bounded = new Windows(store, 'b', TestBudgets.windows(1_000));
        for (int i = 0; i < 500; i++) {
            for (int pane = 0; pane < 40; pane++) {
                bounded.add(key("caller" + i), SHAPE, partial(PANE + pane, 1, 0, (PANE + pane) * 1000));
            }
        }

        // forty panes have room for 64, of six numbers each
        assertThat(bounded.hot()).isBetween(50, 1_000 * 320 / (64 * 6 * Long.BYTES));
        for (int i = 0; i < 500; i++) {
            assertThat(bounded.at(key("caller" + i), SHAPE, PANE + 39).admitted(PANE + 39))
                    .isEqualTo(40);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aColdSubjectCostsAtMostTwoPointReads(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            store.reads = 0;
            // up to the lateness behind the newest, across all places of a block border
            add("caller-" + i, PANE + i - random.nextInt(65), 1);
            assertThat(store.reads).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aHotSubjectCostsNoRead() {
        add("acme", PANE, 1);
        store.reads = 0;

        add("acme", PANE, 1);

        assertThat(store.reads).isZero();
    }

    @Test
    void nothingIsWrittenBeforeTheFlush() {
        add("acme", PANE, 1);

        assertThat(store.writes).isZero();
    }

    @Test
    void aFlushWritesOnlyWhatChanged() {
        add("acme", PANE, 1);
        add("acme", PANE, 1);
        add("emca", PANE, 1);
        windows.flush();
        store.writes = 0;
        add("acme", PANE, 1);

        windows.flush();
        windows.flush();

        assertThat(store.writes).isEqualTo(1);
    }

    @Test
    void whatWasFlushedIsFoundAgain() {
        add("acme", PANE, 7);
        windows.flush();
        windows.discard();

        assertThat(windows.at(key("acme"), SHAPE, PANE).admitted(PANE)).isEqualTo(7);
    }

    @Test
    void whatWasDiscardedIsGone() {
        add("acme", PANE, 7);

        windows.discard();
        windows.flush();

        assertThat(windows.at(key("acme"), SHAPE, PANE).admitted(PANE)).isZero();
    }

    @Test
    void theAgeOfASubjectOutlivesTheHeap() {
        add("acme", PANE, 1);
        add("acme", PANE + 30, 1);
        windows.flush();
        windows.discard();

        assertThat(add("acme", PANE + 60, 1).since()).isEqualTo(PANE * 1000);
    }

    @Test
    void heapIsBoundedAndNothingIsLostByIt() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1000; i++) {
                add("caller-" + i, PANE + round, 1);
                assertThat(windows.hot()).isLessThanOrEqualTo(16);
            }
        }

        for (int i = 0; i < 1000; i++) {
            assertThat(windows.at(key("caller-" + i), SHAPE, PANE + 2).admitted(PANE + 2))
                    .isEqualTo(3);
        }
    }

    @Test
    void aWindowThatGoesOnForLongKeepsItsOldBlocksInTheStoreAlone() {
        HotWindow window = add("acme", PANE, 7);
        for (int hour = 1; hour <= 100; hour++) {
            window = add("acme", PANE + hour * 3600L, 1);
        }

        assertThat(window.paneFrom(0)).isEqualTo(PANE + 360_000);
        assertThat(store.writes).isEqualTo(100);
        assertThat(windows.at(key("acme"), SHAPE, PANE + 359_970).admitted(PANE + 359_970))
                .isZero();
        assertThat(windows.at(key("acme"), SHAPE, PANE + 356_400).admitted(PANE + 356_400))
                .isEqualTo(1);
    }

    @Test
    void anEventFromFarBehindIsCountedWhereItBelongs() {
        add("acme", PANE, 1);
        add("acme", PANE - 100_000, 1);

        assertThat(add("acme", PANE - 100_000, 1).admitted(PANE - 100_000)).isEqualTo(2);
        assertThat(windows.at(key("acme"), SHAPE, PANE).admitted(PANE)).isEqualTo(1);
    }

    /** Each of them needs older blocks than the one before, so all that came between would stay. */
    @Test
    void eventsFromFartherAndFartherBehind_keepFewBlocksInHeap() {
        Windows roomy = new Windows(store, 's', TestBudgets.windows(10_000));
        roomy.begin(Long.MIN_VALUE);
        long most = 0;
        for (int i = 0; i < 1_000; i++) {
            long pane = PANE - i * 200L;
            most = Math.max(
                    most,
                    roomy.add(key("acme"), SHAPE, partial(pane, i + 1, 0, pane * 1000))
                            .bytes());
        }

        assertThat(most).isLessThan(2_000);
        // as far as the store keeps them
        for (int i = 0; i < 3; i++) {
            assertThat(roomy.at(key("acme"), SHAPE, PANE - i * 200L).admitted(PANE - i * 200L))
                    .isEqualTo(i + 1);
        }
    }

    @Test
    void aLateEventIsFoundWithTheLaterPanesItMayPushOver() {
        add("acme", PANE, 1);
        windows.flush();
        windows.discard();
        add("other", PANE, 1);

        HotWindow window = add("acme", PANE - 40, 1);

        assertThat(window.paneFrom(PANE - 39)).isEqualTo(PANE);
        assertThat(window.admitted(PANE)).isEqualTo(2);
    }

    @Test
    void aDamagedBlockIsNotTakenForAnEmptyOne() {
        stored(Block.FORMAT, (byte) 0xff);

        assertThatThrownBy(() -> windows.at(key("acme"), SHAPE, PANE)).isInstanceOf(IllegalStateException.class);
        assertThat(store.unreadable).isZero();
    }

    @ParameterizedTest
    @ValueSource(bytes = {Block.FORMAT - 1, Block.FORMAT + 1})
    void aBlockOfAnotherFormatIsCountedAndItsCountingBeginsAnew(byte format) {
        stored(format, (byte) 0xff);

        assertThat(add("acme", PANE, 2).admitted(PANE)).isEqualTo(2);
        assertThat(store.unreadable).isEqualTo(1);
    }

    private void stored(byte... bytes) {
        add("acme", PANE, 1);
        windows.flush();
        windows.discard();
        byte[] key = "s[\"p@1\",\"acme\"]".getBytes(StandardCharsets.UTF_8);
        store.write(SHAPE.retention(), key, SHAPE.blockStart(SHAPE.block(PANE)), bytes);
    }
}

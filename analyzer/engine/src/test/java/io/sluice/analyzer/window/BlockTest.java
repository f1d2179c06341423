package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsagePartial;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTest {
    private static final Shape SHAPE = Shape.of(new Window(60_000, 60), 65_000);
    private static final long NUMBER = 1_763_700_000L / SHAPE.blockPanes();
    private static final long FIRST = SHAPE.firstPaneOfBlock(NUMBER);

    static UsagePartial partial(long pane, long admitted, long rejected, long time) {
        return new UsagePartial(false, pane, admitted, admitted, rejected, time, time, new Origin(0, 1), 0);
    }

    private static Block of(Random random, int partials) {
        Block block = new Block(NUMBER);
        for (int i = 0; i < partials; i++) {
            long pane = FIRST + random.nextInt(SHAPE.blockPanes());
            long admitted = random.nextLong() >>> (1 + random.nextInt(62));
            block.add(partial(pane, admitted, random.nextInt(9), pane * 1000 + random.nextInt(1000)));
        }
        return block;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 10, 100, 1000})
    void aBlockIsReadBackAsItWasWritten(int partials) throws MalformedRecord {
        Block block = of(new Random(partials), partials);

        Block.Decoded read = Block.decode(block.encode(SHAPE, 42), SHAPE, NUMBER);

        assertThat(read.since()).isEqualTo(42);
        for (long pane = FIRST - 1; pane <= FIRST + SHAPE.blockPanes(); pane++) {
            for (int column = Block.ADMITTED; column <= Block.REJECTED_COUNT; column++) {
                assertThat(read.block().sum(column, pane, pane)).isEqualTo(block.sum(column, pane, pane));
            }
            assertThat(read.block().newestUpTo(pane)).isEqualTo(block.newestUpTo(pane));
            assertThat(read.block().paneFrom(pane)).isEqualTo(block.paneFrom(pane));
        }
    }

    @Test
    void aBlockOfOneQuietPaneTakesFewBytes() {
        Block block = new Block(NUMBER);
        block.add(partial(FIRST + 3, 1, 0, (FIRST + 3) * 1000 + 17));

        assertThat(block.encode(SHAPE, 1_763_700_000_000L)).hasSizeLessThan(20);
    }

    @Test
    void aBlockCutShortIsRefusedWhereverItIsCut() {
        byte[] whole = of(new Random(1), 50).encode(SHAPE, 42);

        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Block.decode(cut, SHAPE, NUMBER)).isInstanceOf(MalformedRecord.class);
        }
    }

    @Test
    void aBlockWithSomethingBehindItIsRefused() {
        byte[] whole = of(new Random(1), 5).encode(SHAPE, 42);

        assertThatThrownBy(() -> Block.decode(Arrays.copyOf(whole, whole.length + 1), SHAPE, NUMBER))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("block: something stands behind its end");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noDamageLeadsToAnythingButTheOneException(long seed) {
        Random random = new Random(seed);
        byte[] whole = of(random, 50).encode(SHAPE, 42);

        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            try {
                Block.Decoded read = Block.decode(damaged, SHAPE, NUMBER);
                assertThat(read.block().paneFrom(Long.MIN_VALUE)).isGreaterThanOrEqualTo(FIRST);
            } catch (MalformedRecord expected) {
                assertThat(expected).hasMessageContaining(" ");
            }
        }
    }

    @Test
    void aBlockCutForAnotherLatenessCountsAsEmpty() throws MalformedRecord {
        byte[] written = of(new Random(1), 5).encode(SHAPE, 42);
        Shape wider = Shape.of(new Window(60_000, 60), 90_000);

        Block.Decoded read = Block.decode(written, wider, NUMBER);

        assertThat(read.block().paneFrom(Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
    }
}

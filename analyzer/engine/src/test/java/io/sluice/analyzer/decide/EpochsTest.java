package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpochsTest {
    private final LeaseStore store = new InMemoryLeaseStore();
    private final Epochs epochs = new Epochs(store);

    private static MeterPositions.Snapshot positions(long epoch) {
        MeterPositions positions = new MeterPositions();
        positions.accept(List.of(new MeterPosition(1, new Origin(3, epoch), 0)));
        return positions.snapshot();
    }

    @Test
    void current_partialOfAnEarlierEpochThanThePositionsReached_isNot() {
        epochs.reached(positions(7));

        assertThat(epochs.current(new Origin(3, 6))).isFalse();
        assertThat(epochs.current(new Origin(3, 7))).isTrue();
        assertThat(epochs.current(new Origin(4, 1))).isTrue();
    }

    @Test
    void current_positionsOfAnEarlierEpochThanAPartial_areNot() {
        epochs.current(new Origin(3, 8));

        assertThat(epochs.current(positions(7))).isFalse();
        assertThat(epochs.current(positions(7), 3)).isFalse();
        assertThat(epochs.current(positions(8))).isTrue();
    }

    @Test
    void current_positionsOfAnEarlierEpochThanAStoredOne_areNot() {
        epochs.current(new Origin(3, 8));
        epochs.flush();

        Epochs next = new Epochs(store);
        next.restore(new Counts());

        assertThat(next.current(positions(7))).isFalse();
        assertThat(next.current(positions(8))).isTrue();
    }

    private static byte[] epoch(long epoch) {
        return ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
    }

    /** The epochs of a next life that find these bytes. */
    private Epochs restored(Counts counts) {
        Epochs next = new Epochs(store);
        next.restore(counts);
        return next;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"$meter\",\"x\"]",
                "[\"$meter\",\"\"]",
                "[\"$meter\",\"-3\"]",
                "[\"$meter\",\"03\"]",
                "[\"$meter\",\"3\",\"4\"]",
                "[\"$meter\",\"99999999999\"]"
            })
    void restore_keyOfNoMeter_isCountedAndSkipped(String key) {
        store.write(key.getBytes(StandardCharsets.UTF_8), epoch(5));
        store.write(CompositeKey.bytes(List.of("$meter", "3")), epoch(8));
        Counts counts = new Counts();

        Epochs next = restored(counts);

        assertThat(counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(next.current(new Origin(3, 7))).isFalse();
        assertThat(next.current(positions(8))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 9})
    void restore_bytesOfNoEpoch_areCountedAndReplacedByTheNext(int length) {
        store.write(CompositeKey.bytes(List.of("$meter", "3")), new byte[length]);
        Counts counts = new Counts();

        Epochs next = restored(counts);

        assertThat(counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(next.current(new Origin(3, 8))).isTrue();
        next.flush();
        assertThat(restored(counts).current(new Origin(3, 7))).isFalse();
        assertThat(counts.of(Count.UNREADABLE)).isEqualTo(1);
    }

    @Test
    void restore_whatCannotBeRead_isNamedToTheStore() {
        List<String> named = new ArrayList<>();
        LeaseStore naming = new LeaseStore() {
            @Override
            public byte @Nullable [] read(byte[] key) {
                return store.read(key);
            }

            @Override
            public void write(byte[] key, byte[] value) {
                store.write(key, value);
            }

            @Override
            public void delete(byte[] key) {
                store.delete(key);
            }

            @Override
            public void forEach(BiConsumer<byte[], byte[]> to) {
                store.forEach(to);
            }

            @Override
            public void unreadable(byte[] key) {
                named.add(new String(key, StandardCharsets.UTF_8));
            }
        };
        store.write(CompositeKey.bytes(List.of("$epoch")), new byte[3]);
        store.write(CompositeKey.bytes(List.of("$meter", "x")), epoch(5));
        store.write(CompositeKey.bytes(List.of("$meter", "7")), epoch(5));

        new Epochs(naming).restore(new Counts());

        assertThat(named).containsExactly("[\"$epoch\"]", "[\"$meter\",\"x\"]");
    }

    @Test
    void flush_epochOfPositions_isNotStored() {
        epochs.reached(positions(7));
        epochs.flush();

        Epochs next = new Epochs(store);
        next.restore(new Counts());

        // what was not committed is read again, also of earlier epochs
        assertThat(next.current(new Origin(3, 6))).isTrue();
    }
}

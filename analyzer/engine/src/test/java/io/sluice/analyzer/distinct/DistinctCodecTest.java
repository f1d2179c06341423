package io.sluice.analyzer.distinct;

import static io.sluice.analyzer.distinct.DistinctValuesTest.paths;
import static io.sluice.analyzer.distinct.DistinctValuesTest.setOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Seeds.TAG)
class DistinctCodecTest {
    private static final int MUTATIONS = Seeds.of(10_000, 100_000);

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 9", "2, 17", "511, 4089", "512, 4097", "513, 4097", "100000, 4097"})
    void aSetIsReadBackAsItWasWritten(int values, int bytes) throws MalformedRecord {
        DistinctValues set = setOf(paths(0, values));

        DistinctValues read = DistinctValues.decode(set.encode());

        assertThat(set.encode()).hasSize(bytes);
        assertThat(read.encode()).isEqualTo(set.encode());
        assertThat(read.count()).isEqualTo(set.count());
        assertThat(read.exact()).isEqualTo(set.exact());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 513, 2000})
    void aSetThatWasReadGoesOnAsIfItHadNotBeen(int values) throws MalformedRecord {
        byte[] bytes = setOf(paths(0, values)).encode();
        DistinctValues read = DistinctValues.decode(bytes);

        paths(values, values + 1000).forEach(read::add);

        assertThat(read.encode()).isEqualTo(setOf(paths(0, values + 1000)).encode());
        assertThat(bytes).isEqualTo(setOf(paths(0, values)).encode());
    }

    /** What stands on disk and on topics is read by the next release as well. */
    @Test
    void theBytesAreTheSameForEver() {
        assertThat(setOf(List.of("/orders/0", "\u20ac\ud800")).encode())
                .isEqualTo(bytes("01a9f0f55a8bc69fc40a2a74bffb45fdc1"));
        assertThat(Arrays.hashCode(setOf(paths(0, 2000)).encode())).isEqualTo(-465_286_927);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "03",
                "02",
                "0100",
                "0100000000000000",
                "010000000000000000ff",
                // twice the same, and the greater one first
                "0100000000000000010000000000000001",
                "010000000000000001ffffffffffffffff"
            })
    void whatIsNeverWrittenIsRefused(String hex) {
        assertThatThrownBy(() -> DistinctValues.decode(bytes(hex)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith("distinct values: ");
    }

    @Test
    void oneHashMoreThanIsCountedExactlyIsRefused() {
        ByteBuffer bytes = ByteBuffer.allocate(1 + 8 * 513).put((byte) 1);
        for (int i = 0; i < 513; i++) {
            bytes.putLong(i);
        }

        assertThatThrownBy(() -> DistinctValues.decode(bytes.array())).isInstanceOf(MalformedRecord.class);
        assertThatCode(() -> DistinctValues.decode(Arrays.copyOf(bytes.array(), 4097)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 4098})
    void aSketchOfAnotherLengthIsRefused(int length) {
        byte[] bytes = Arrays.copyOf(setOf(paths(0, 9000)).encode(), length);

        assertThatThrownBy(() -> DistinctValues.decode(bytes)).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aSketchOfNothingIsRefused() {
        byte[] bytes = new byte[4097];
        bytes[0] = 2;

        assertThatThrownBy(() -> DistinctValues.decode(bytes)).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aRegisterIsAllowedWhenValuesCanLeaveItAndOnlyThen() {
        Set<Byte> possible = new HashSet<>(Set.of((byte) 0));
        for (int highest = 0; highest <= 52; highest++) {
            for (int others = 0; others < 4; others++) {
                possible.add(registerAfter(highest, others));
            }
        }
        byte[] bytes = setOf(paths(0, 9000)).encode();

        for (int register = 0; register < 256; register++) {
            bytes[1] = (byte) register;
            if (possible.contains((byte) register)) {
                assertThatCode(() -> DistinctValues.decode(bytes)).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(() -> DistinctValues.decode(bytes)).isInstanceOf(MalformedRecord.class);
            }
        }
    }

    /** The first register after a hash of so many zeros behind its place, and maybe ones of one and of two less. */
    private static byte registerAfter(int zeros, int others) {
        DistinctValues set = DistinctValues.empty();
        for (int less = 0; less <= 2; less++) {
            if (zeros >= less && (less == 0 || (others >> (less - 1) & 1) == 1)) {
                set.addHash(((1L << 52) - 1) >>> (zeros - less));
            }
        }
        // somewhere else, to make it a sketch
        for (long i = 1; i <= 513; i++) {
            set.addHash(i << 52);
        }
        return set.encode()[1];
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "12, 3", "512, 4", "513, 5", "30000, 6"})
    void mutatedBytesAreASetOrRefusedAndNothingElse(int values, long seed) {
        Random random = new Random(seed);
        byte[] bytes = setOf(paths(0, values)).encode();
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] mutated = mutated(bytes, random);
            try {
                // whatever is accepted is what would be written
                byte[] again = DistinctValues.decode(mutated).encode();
                if (!Arrays.equals(again, mutated)) {
                    throw new AssertionError("seed " + seed + ", mutation " + i + ": accepted, but not canonical");
                }
            } catch (MalformedRecord e) {
                assertThat(e.getMessage()).startsWith("distinct values: ");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", mutation " + i, e);
            }
        }
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(mutated.length + 1);
            if (at == mutated.length || random.nextInt(8) == 0) {
                mutated = Arrays.copyOf(mutated, random.nextInt(4) == 0 ? random.nextInt(10_000) : at + 1);
            } else {
                mutated[at] =
                        (byte) (random.nextBoolean() ? random.nextInt(256) : mutated[at] ^ 1 << random.nextInt(8));
            }
        }
        return mutated;
    }
}

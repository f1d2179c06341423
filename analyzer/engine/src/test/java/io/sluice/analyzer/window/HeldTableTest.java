package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldTableTest {
    private static final int KEYS = 3_000;

    private final HeldTable<Held> table = new HeldTable<>();
    private final Map<Integer, Held> plain = new HashMap<>();

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    /** Few different hashes, so that keys crowd one another out of their places, and around the table's end. */
    private static int hash(int number) {
        return number % 7 - 3;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itHoldsWhatAMapHolds(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            int number = random.nextInt(random.nextInt(KEYS) + 1);
            if (random.nextInt(3) == 0) {
                assertThat(table.remove(key(number), hash(number))).isSameAs(plain.remove(number));
            } else if (!plain.containsKey(number)) {
                Held held = new Held(key(number)) {
                    @Override
                    long bytes() {
                        return 0;
                    }
                };
                plain.put(number, held);
                table.put(held, hash(number));
            }
            assertThat(table.find(key(number), hash(number))).isSameAs(plain.get(number));
            assertThat(table.size()).isEqualTo(plain.size());
        }

        plain.forEach((number, held) ->
                assertThat(table.find(key(number), hash(number))).isSameAs(held));
        List<Held> all = new ArrayList<>();
        table.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(plain.values());
    }
}

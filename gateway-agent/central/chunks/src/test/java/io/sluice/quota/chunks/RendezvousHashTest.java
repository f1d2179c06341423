package io.sluice.quota.chunks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag(Seeds.TAG)
class RendezvousHashTest {
    private static final int KEYS = 20_000;

    static LongStream seeds() {
        return LongStream.range(0, Seeds.of(10, 200));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nodeThatLeaves_movesOnlyItsOwnKeys_toTheNextInRank(long seed) {
        Random random = new Random(seed);
        List<String> nodes = nodes(2 + random.nextInt(12), random);
        RendezvousHash all = new RendezvousHash(nodes);
        String gone = nodes.get(random.nextInt(nodes.size()));
        List<String> rest = new ArrayList<>(nodes);
        rest.remove(gone);
        RendezvousHash others = new RendezvousHash(rest);

        for (int i = 0; i < KEYS; i++) {
            String key = key(seed, i);
            String before = all.pick(key);
            if (before.equals(gone)) {
                assertThat(others.pick(key)).isEqualTo(all.ranked(key).get(1));
            } else {
                assertThat(others.pick(key)).isEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keys_areBalanced(long seed) {
        Random random = new Random(seed);
        List<String> nodes = nodes(2 + random.nextInt(19), random);
        RendezvousHash hash = new RendezvousHash(nodes);
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            counts.merge(hash.pick(key(seed, i)), 1, Integer::sum);
        }

        double mean = (double) KEYS / nodes.size();
        double deviation = Math.sqrt(mean * (1 - 1.0 / nodes.size()));
        for (String node : nodes) {
            // six standard deviations of a binomial distribution
            assertThat((double) counts.getOrDefault(node, 0)).isBetween(mean - 6 * deviation, mean + 6 * deviation);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void order_ofTheNodes_doesNotMatter(long seed) {
        Random random = new Random(seed);
        List<String> nodes = nodes(10, random);
        RendezvousHash one = new RendezvousHash(nodes);
        Collections.shuffle(nodes, random);
        RendezvousHash other = new RendezvousHash(nodes);

        for (int i = 0; i < 1_000; i++) {
            assertThat(other.ranked(key(seed, i))).isEqualTo(one.ranked(key(seed, i)));
            assertThat(one.ranked(key(seed, i)).get(0)).isEqualTo(one.pick(key(seed, i)));
        }
    }

    @Test
    void pick_isTheSameInEveryVersion() {
        RendezvousHash hash = new RendezvousHash(List.of("a:1", "b:1", "c:1"));

        // routers and clients in other languages depend on these; computed by another implementation, in Python
        assertThat(List.of("[\"acme\"]", "[\"beta\"]", "[\"gamma\"]", "[\"ü\"]").stream()
                        .map(hash::pick))
                .containsExactly(EXPECTED);
    }

    private static final String[] EXPECTED = {"b:1", "b:1", "a:1", "b:1"};

    @Test
    void noNode_orOneTwice_isRefused() {
        assertThatThrownBy(() -> new RendezvousHash(List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> new RendezvousHash(List.of("a", "a"))).hasMessageContaining("no name twice");
    }

    private static List<String> nodes(int count, Random random) {
        int port = 1024 + random.nextInt(60_000);
        return new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> "10.0.0." + i + ":" + port)
                .toList());
    }

    private static String key(long seed, int i) {
        return "[\"caller-" + seed + "-" + i + "\"]";
    }
}

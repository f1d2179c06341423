package io.sluice.contract.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.Node;
import io.sluice.contract.json.Vectors;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionsTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aKeyGoesWhereKafkasProducerSendsIt(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] key = new byte[random.nextInt(70)];
            random.nextBytes(key);
            int partitions = 1 + random.nextInt(200);

            assertThat(Partitions.of(key, partitions)).isEqualTo(BuiltInPartitioner.partitionForKey(key, partitions));
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aKeyHasThePartitionOfTheGoldenVector(Node.Mapping vector) {
        byte[] key = Vectors.text(vector, "key").getBytes(StandardCharsets.UTF_8);

        assertThat(Partitions.of(key, 4)).isEqualTo(Vectors.number(vector, "of4"));
        assertThat(Partitions.of(key, 7)).isEqualTo(Vectors.number(vector, "of7"));
        assertThat(Partitions.of(key, 50)).isEqualTo(Vectors.number(vector, "of50"));
    }

    static Stream<Node.Mapping> vectors() {
        return Vectors.of("keys");
    }
}

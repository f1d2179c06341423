package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorPerTaskTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    private final List<Incarnation> incarnations = new CopyOnWriteArrayList<>();

    @Test
    void close_revivedTask_earlierIncarnationTicksNoMore() {
        String application = TestKafka.name("started");
        String in = TestKafka.topic(application + "-in", 1);
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), in);
        topology.addProcessor("ticking", () -> new ProcessorPerTask(1, this::begin), "in");
        Map<String, Object> config = new HashMap<>(TestKafka.client());
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        config.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        config.put(StreamsConfig.POLL_MS_CONFIG, 10);
        config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        try (KafkaStreams streams = new KafkaStreams(topology, new StreamsConfig(config))) {
            streams.start();
            await().atMost(PATIENCE)
                    .until(() -> incarnations.size() == 1
                            && incarnations.get(0).ticks.get() > 0);
            TestKafka.send(in, List.of("corrupt"));
            await().atMost(PATIENCE)
                    .until(() -> incarnations.size() == 2
                            && incarnations.get(1).ticks.get() > 10);
        }

        assertThat(incarnations).extracting(it -> it.ticksAfterClose.get()).containsOnly(0);
    }

    private ProcessorPerTask.Ticking begin(ProcessorContext<Object, Object> context) {
        Incarnation incarnation = new Incarnation(context, incarnations.isEmpty());
        incarnations.add(incarnation);
        return incarnation;
    }

    /** The first one finds its task corrupted at its first record. */
    private static final class Incarnation implements ProcessorPerTask.Ticking {
        private final ProcessorContext<Object, Object> context;
        private final boolean first;
        private final AtomicInteger ticks = new AtomicInteger();
        private final AtomicInteger ticksAfterClose = new AtomicInteger();
        private boolean closed;

        Incarnation(ProcessorContext<Object, Object> context, boolean first) {
            this.context = context;
            this.first = first;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            if (first) {
                throw new TaskCorruptedException(Set.of(context.taskId()));
            }
        }

        @Override
        public void tick() {
            (closed ? ticksAfterClose : ticks).incrementAndGet();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}

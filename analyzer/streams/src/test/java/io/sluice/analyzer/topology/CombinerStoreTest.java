package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kafka Streams does to a store that is a cache, clause by clause, on a real broker. */
@Tag("server")
class CombinerStoreTest {
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SOON = 100;
    private static final long NEVER = 3_600_000;

    @TempDir
    Path directory;

    private final String application = TestKafka.name("combiner");
    private final String in = application + "-in";
    private final String out = application + "-out";
    private final List<KafkaStreams> running = new ArrayList<>();

    /** How many records were held back, in how many tasks, each time the hook ran. */
    private final List<Integer> emptied = new CopyOnWriteArrayList<>();

    private final List<Long> committedAtEmptying = new CopyOnWriteArrayList<>();
    private final List<Integer> discarded = new CopyOnWriteArrayList<>();
    private final List<CombinerStore> hooked = new CopyOnWriteArrayList<>();
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicReference<Throwable> died = new AtomicReference<>();
    private final ThreadLocal<ThreadCommits> commits =
            ThreadLocal.withInitial(() -> new ThreadCommits(System::nanoTime, true));

    @BeforeEach
    void topics() {
        TestKafka.topic(in, PARTITIONS);
        TestKafka.topic(out, 1);
    }

    @AfterEach
    void stop() {
        running.forEach(streams -> streams.close(Duration.ofMinutes(2)));
    }

    @Test
    void aCommitEmptiesItBeforeTheOffsetsAreCommitted() {
        start("a", SOON, 0);
        send(1000);

        await().atMost(PATIENCE).until(() -> TestKafka.committed(application, in) == 1000);

        assertThat(total()).isEqualTo(1000);
        int left = 0;
        for (int i = 0; i < emptied.size(); i++) {
            left += emptied.get(i);
            assertThat(committedAtEmptying.get(i))
                    .as("committed at emptying %d", i)
                    .isLessThanOrEqualTo(left - emptied.get(i));
        }
    }

    @Test
    void aCleanCloseEmptiesIt() {
        KafkaStreams only = start("a", NEVER, 0);
        send(500);
        await().atMost(PATIENCE).until(() -> handled.get() == 500);
        assertThat(total()).isZero();

        only.close(Duration.ofMinutes(2));

        assertThat(total()).isEqualTo(500);
        assertThat(TestKafka.committed(application, in)).isEqualTo(500);
    }

    @Tag("full")
    @Test
    void aRevocationEmptiesIt() {
        start("a", NEVER, 0);
        send(500);
        await().atMost(PATIENCE).until(() -> handled.get() == 500);
        assertThat(total()).isZero();

        start("b", NEVER, 0);

        await().atMost(PATIENCE).until(() -> total() > 0);
        await().atMost(PATIENCE).until(() -> TestKafka.committed(application, in) == total());
    }

    @Tag("full")
    @Test
    void aDirtyCloseEmptiesItAndCommitsNothing() {
        KafkaStreams dying = start("a", NEVER, 0);
        TestKafka.send(in, "key", TestKafka.utf8("x"));
        TestKafka.send(in, "key", TestKafka.utf8("x"));
        await().atMost(PATIENCE).until(() -> handled.get() == 2);
        TestKafka.send(in, "key", TestKafka.utf8("poison"));

        await().atMost(PATIENCE).until(() -> dying.state() == KafkaStreams.State.ERROR);

        assertThat(total()).isEqualTo(2);
        assertThat(TestKafka.committed(application, in)).isZero();
    }

    @Tag("full")
    @Test
    void aTimeoutInTheHookIsNoStateErrorAndNamesTheTaskThatFailed() {
        KafkaStreams dying = start("a", SOON, 0);
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                String value = partition == 2 ? "timeout" : "x";
                var unused = producer.send(new ProducerRecord<>(in, partition, null, TestKafka.utf8(value)));
            }
        }
        await().atMost(PATIENCE).until(() -> dying.state() == KafkaStreams.State.ERROR);

        List<Throwable> chain = Stream.iterate(died.get(), Objects::nonNull, Throwable::getCause)
                .toList();
        assertThat(chain).hasAtLeastOneElementOfType(TimeoutException.class);
        assertThat(chain).doesNotHaveAnyElementsOfTypes(ProcessorStateException.class);
        assertThat(chain)
                .filteredOn(
                        it -> it instanceof StreamsException at && at.taskId().isPresent())
                .last()
                .extracting(it -> ((StreamsException) it).taskId().orElseThrow())
                .isEqualTo(new TaskId(0, 2));
    }

    @Test
    @Tag("full")
    void aRecycledTaskKeepsTheStoreAndForgetsWhatItHeld() {
        start("a", SOON, 1);
        send(1000);
        await().atMost(PATIENCE).until(() -> TestKafka.committed(application, in) == 1000);

        KafkaStreams second = start("b", SOON, 1);
        await().atMost(PATIENCE).until(() -> hooked.size() >= PARTITIONS + 2);
        send(1000);
        await().atMost(PATIENCE).until(() -> TestKafka.committed(application, in) == 2000);
        running.remove(second);
        second.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(Duration.ofMinutes(2)));
        send(1000);
        await().atMost(PATIENCE).until(() -> TestKafka.committed(application, in) == 3000);

        Set<CombinerStore> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(hooked);
        assertThat(hooked).as("a task that came back found the store it had").hasSizeGreaterThan(distinct.size());
        assertThat(discarded).as("the hook ran when the tasks became standbys").isNotEmpty();
        assertThat(total()).isEqualTo(3000);
    }

    @Test
    void clearCacheCloseAndInitDiscardAndOnlyFlushCacheEmpties() {
        List<String> calls = new ArrayList<>();
        CombinerStore store = CombinerStore.builder("store").build();
        KafkaStreams streams = startWith(store, calls);
        await().atMost(PATIENCE).until(() -> streams.state() == KafkaStreams.State.RUNNING && calls.contains("hooked"));
        streams.close(Duration.ofMinutes(2));
        assertThat(calls).endsWith("discard");
        assertThat(store.isOpen()).isFalse();

        calls.clear();
        store.clearCache();
        store.flushCache();
        assertThat(calls).as("no listener is registered after a close").isEmpty();
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyAStoreThatIsNotPersistentIsNotWrapped(boolean persistent) {
        Cache cache = new Cache(persistent);
        Topology topology = topology();
        topology.addStateStore(cache, "hold");
        run(topology, "a", SOON, 0);
        send(100);
        await().atMost(PATIENCE).until(() -> TestKafka.committed(application, in) == 100);

        assertThat(cache.wrapped).isEqualTo(persistent);
        assertThat(CombinerStore.builder("store").build().persistent()).isFalse();
    }

    private void send(int records) {
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(new ProducerRecord<>(in, i % PARTITIONS, null, TestKafka.utf8("x")));
            }
        }
    }

    /** What left the combiners, added up. */
    private long total() {
        return TestKafka.read(out).stream()
                .mapToLong(record -> Long.parseLong(TestKafka.text(record.value())))
                .sum();
    }

    private KafkaStreams start(String instance, long commit, int standbys) {
        return run(topology(), instance, commit, standbys);
    }

    private Topology topology() {
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), in);
        topology.addProcessor("hold", Hold::new, "in");
        topology.addStateStore(CombinerStore.builder("combiner"), "hold");
        // a store with a changelog, so that there is something for a standby to stand by
        topology.addStateStore(
                Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore("state"), Serdes.Bytes(), Serdes.ByteArray()),
                "hold");
        topology.addSink("out", out, new ByteArraySerializer(), new ByteArraySerializer(), "hold");
        return topology;
    }

    private KafkaStreams startWith(CombinerStore store, List<String> calls) {
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), in);
        topology.addProcessor("hold", () -> new Listening(calls), "in");
        topology.addStateStore(new Given(store), "hold");
        return run(topology, "a", SOON, 0);
    }

    private KafkaStreams run(Topology topology, String instance, long commit, int standbys) {
        Map<String, Object> config = new HashMap<>(TestKafka.client());
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        config.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(instance).toString());
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commit);
        config.put(StreamsConfig.POLL_MS_CONFIG, 10);
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, standbys);
        config.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
        config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        config.put(StreamsConfig.mainConsumerPrefix("session.timeout.ms"), 15_000);
        config.put(StreamsConfig.mainConsumerPrefix("heartbeat.interval.ms"), 500);
        KafkaStreams streams = new KafkaStreams(topology, new StreamsConfig(config));
        streams.setUncaughtExceptionHandler(e -> {
            died.set(e);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        running.add(streams);
        streams.start();
        return streams;
    }

    /** Holds back how many records it saw until the hook runs. */
    private final class Hold implements Processor<byte[], byte[], byte[], byte[]> {
        private ProcessorContext<byte[], byte[]> context;
        private int held;
        private boolean timeout;

        @Override
        public void init(ProcessorContext<byte[], byte[]> to) {
            context = to;
            held = 0;
            CombinerStore combiner = to.getStateStore("combiner");
            hooked.add(combiner);
            combiner.beforeCommit(to, commits.get(), this::empty, this::discard);
        }

        private void empty() {
            if (timeout) {
                throw new TimeoutException("no metadata");
            }
            if (held > 0) {
                committedAtEmptying.add(TestKafka.committed(application, in));
                emptied.add(held);
                context.forward(new Record<>(null, TestKafka.utf8(Integer.toString(held)), 0));
                held = 0;
            }
        }

        private void discard() {
            discarded.add(held);
            held = 0;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            commits.get().working();
            if (TestKafka.text(record.value()).equals("poison")) {
                throw new IllegalStateException("poison");
            }
            timeout |= TestKafka.text(record.value()).equals("timeout");
            KeyValueStore<Bytes, byte[]> state = context.getStateStore("state");
            state.put(Bytes.wrap(record.value()), record.value());
            held++;
            handled.incrementAndGet();
        }
    }

    private record Listening(List<String> calls) implements Processor<byte[], byte[], byte[], byte[]> {
        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            CombinerStore combiner = context.getStateStore("store");
            ThreadCommits commits = new ThreadCommits(System::nanoTime, true);
            combiner.beforeCommit(context, commits, () -> calls.add("empty"), () -> calls.add("discard"));
            calls.add("hooked");
            combiner.flushCache();
            assertThat(calls).endsWith("empty");
        }

        @Override
        public void process(Record<byte[], byte[]> record) {}
    }

    /** Always the same store. */
    private record Given(CombinerStore store) implements StoreBuilder<CombinerStore> {
        @Override
        public CombinerStore build() {
            return store;
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public StoreBuilder<CombinerStore> withCachingEnabled() {
            return this;
        }

        @Override
        public StoreBuilder<CombinerStore> withCachingDisabled() {
            return this;
        }

        @Override
        public StoreBuilder<CombinerStore> withLoggingEnabled(Map<String, String> config) {
            return this;
        }

        @Override
        public StoreBuilder<CombinerStore> withLoggingDisabled() {
            return this;
        }

        @Override
        public Map<String, String> logConfig() {
            return Map.of();
        }

        @Override
        public boolean loggingEnabled() {
            return false;
        }
    }

    /** A cache, and its own builder. */
    private static final class Cache implements StateStore, CachedStateStore<Object, Object>, StoreBuilder<StateStore> {
        private final boolean persistent;
        private volatile boolean wrapped;

        Cache(boolean persistent) {
            this.persistent = persistent;
        }

        @Override
        public String name() {
            return "cache";
        }

        @Override
        public void init(StateStoreContext context, StateStore root) {
            wrapped = root != this;
            context.register(root, (key, value) -> {});
        }

        @Override
        public void close() {}

        @Override
        public boolean persistent() {
            return persistent;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean setFlushListener(CacheFlushListener<Object, Object> listener, boolean sendOldValues) {
            return false;
        }

        @Override
        public void flushCache() {}

        @Override
        public void clearCache() {}

        @Override
        public StateStore build() {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withCachingEnabled() {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withCachingDisabled() {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withLoggingEnabled(Map<String, String> config) {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withLoggingDisabled() {
            return this;
        }

        @Override
        public Map<String, String> logConfig() {
            return Map.of();
        }

        @Override
        public boolean loggingEnabled() {
            return false;
        }
    }
}

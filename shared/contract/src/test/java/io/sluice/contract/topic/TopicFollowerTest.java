package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class TopicFollowerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static EmbeddedKafka kafka;
    private static TestTopics topics;

    private final Heard heard = new Heard();
    private final String topic = "followed-" + UUID.randomUUID();
    private TopicFollower follower;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.builder().start();
        topics = new TestTopics(kafka.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
    }

    @AfterEach
    void close() {
        if (follower != null) {
            follower.close();
        }
    }

    @Test
    void itReadsToTheEndAndThenFollows() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b");
        follow(topic);
        hears("a", "b", Heard.END);

        topics.send(topic, 0, "c");

        hears("a", "b", Heard.END, "c");
        assertThat(follower.caughtUp()).isTrue();
    }

    @Test
    void anEmptyTopicIsReadToItsEndAtOnce() throws Exception {
        topics.create(topic, 4);

        follow(topic);

        hears(Heard.END);
    }

    @Test
    void theEndOfSeveralTopicsIsTheEndOfAllTheirPartitions() throws Exception {
        topics.create(topic, 3);
        topics.create(topic + "-2", 1);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(Integer.toString(i));
            topics.send(i % 4 == 3 ? topic + "-2" : topic, i % 4 == 3 ? 0 : i % 3, Integer.toString(i));
        }

        follow(topic, topic + "-2");

        await().atMost(PATIENCE).until(() -> heard.all.contains(Heard.END));
        assertThat(heard.all.subList(0, 300)).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void itWaitsForATopicThatIsNotThereYet() throws Exception {
        follow(topic);
        // a slow broker may be a trouble before
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(follower.trouble()).contains(topic));

        topics.create(topic, 1);
        topics.send(topic, 0, "a");

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard.all).containsOnlyOnce("a", Heard.END));
        await().atMost(PATIENCE).until(() -> follower.trouble() == null);
    }

    @Test
    void aPoisonRecordReachesTheListenerUntouched() throws Exception {
        topics.create(topic, 1);
        byte[] poison = {(byte) 0xff, 0, '{', (byte) 0xc3};
        topics.send(topic, 0, poison, poison);
        topics.send(topic, 0, null, null);

        follow(topic);

        await().atMost(PATIENCE).until(() -> heard.all.contains(Heard.END));
        assertThat(heard.records.get(0).key()).isEqualTo(poison);
        assertThat(heard.records.get(0).value()).isEqualTo(poison);
        assertThat(heard.records.get(1).key()).isNull();
        assertThat(heard.records.get(1).value()).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aListenerThatThrowsMissesNothingElse(boolean error) throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "bad", "c");

        follow(
                new TopicFollower.Listener() {
                    @Override
                    public void record(ConsumerRecord<byte[], byte[]> record) {
                        heard.record(record);
                        if (record.value().length == 3 && error) {
                            throw new NoSuchMethodError("on purpose");
                        }
                        if (record.value().length == 3) {
                            throw new IllegalStateException("on purpose");
                        }
                    }

                    @Override
                    public void caughtUp() {
                        heard.caughtUp();
                        throw new IllegalStateException("on purpose");
                    }
                },
                topic);

        hears("a", "bad", "c", Heard.END);
        topics.send(topic, 0, "d");
        hears("a", "bad", "c", Heard.END, "d");
    }

    @Test
    void theNumberOfPartitions_isReportedAndReportedAgainWhenItGrows() throws Exception {
        topics.create(topic, 2);
        List<Integer> counts = new CopyOnWriteArrayList<>();
        follow(
                new TopicFollower.Listener() {
                    @Override
                    public void record(ConsumerRecord<byte[], byte[]> record) {}

                    @Override
                    public void caughtUp() {}

                    @Override
                    public void partitions(String of, int count) {
                        counts.add(count);
                    }
                },
                topic);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(counts).containsExactly(2));

        topics.partitions(topic, 3);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(counts).containsExactly(2, 3));
    }

    @Tag("full")
    @Test
    void anAddedPartitionIsFollowedFromItsBeginning() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a");
        follow(topic);
        hears("a", Heard.END);

        topics.partitions(topic, 3);
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> topics.send(topic, 2, "b"));

        hears("a", Heard.END, "b");
    }

    @Test
    void recordsOfAnAbortedTransactionAreNeverSeenAndDoNotHideTheEnd() throws Exception {
        topics.create(topic, 1);
        Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", topic);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, new byte[] {'a'})).get();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, new byte[] {'b'})).get();
            producer.abortTransaction();
        }

        follow(topic);

        hears("a", Heard.END);
    }

    @Test
    void ofEachTopicItIsToldOnceThatItWasRead() throws Exception {
        topics.create(topic, 2);
        topics.create(topic + "-2", 1);
        topics.send(topic, 0, "a");

        follow(topic, topic + "-2");

        hears("a", Heard.END);
        assertThat(heard.ends).containsExactlyInAnyOrder(topic, topic + "-2");
    }

    @Tag("full")
    @Test
    void aTopicThatWasMadeAnewIsReadFromItsBeginning() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b", "c");
        follow(topic);
        hears("a", "b", "c", Heard.END);

        topics.recreate(topic, 1);
        topics.send(topic, 0, "d");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(heard.all).startsWith("a", "b", "c", Heard.END, Heard.AGAIN));
        // the new topic may have been found empty before that was sent
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(heard.all.subList(5, heard.all.size())).containsExactlyInAnyOrder("d", Heard.END));
    }

    @Test
    void recreatedTopic_withAsManyRecordsAsBefore_isReadFromItsBeginning() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b");
        Paused paused = new Paused("c");
        follow(paused, topic);
        hears("a", "b", Heard.END);
        await().atMost(PATIENCE).until(() -> follower.knowsTopicIds());

        topics.send(topic, 0, "c");
        paused.awaitRecord();
        topics.recreate(topic, 1);
        topics.send(topic, 0, "d", "e", "f");
        paused.resume();

        hears("a", "b", Heard.END, "c", Heard.AGAIN, "d", "e", "f", Heard.END);
    }

    @Tag("full")
    @Test
    void recreatedTopic_withFewerPartitions_isReadFromItsBeginning() throws Exception {
        topics.create(topic, 2);
        topics.send(topic, 0, "a");
        topics.send(topic, 1, "b");
        Paused paused = new Paused("c");
        follow(paused, topic);
        await().atMost(PATIENCE).until(() -> heard.all.contains(Heard.END));

        topics.send(topic, 0, "c");
        paused.awaitRecord();
        topics.recreate(topic, 1);
        topics.send(topic, 0, "d", "e");
        // the new client sees the new topic only
        follower.renew();
        paused.resume();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(heard.all.subList(3, heard.all.size()))
                        .containsExactly("c", Heard.AGAIN, "d", "e", Heard.END));
    }

    /** Stops the follower's thread in the record of one value, so that it does not see what happens to the topic meanwhile. */
    private final class Paused implements TopicFollower.Listener {
        private final String value;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch resumed = new CountDownLatch(1);

        Paused(String value) {
            this.value = value;
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            heard.record(record);
            if (new String(record.value(), StandardCharsets.UTF_8).equals(value)) {
                reached.countDown();
                awaits(resumed);
            }
        }

        @Override
        public void caughtUp() {
            heard.caughtUp();
        }

        @Override
        public void again() {
            heard.again();
        }

        void awaitRecord() {
            awaits(reached);
        }

        void resume() {
            resumed.countDown();
        }

        private static void awaits(CountDownLatch latch) {
            try {
                assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aClosedFollowerLeavesNoThread() throws Exception {
        topics.create(topic, 1);
        follow(topic);
        hears(Heard.END);

        follower.close();

        awaitNoThread();
    }

    @Test
    void itCanBeClosedByItsListener() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b");
        AtomicReference<TopicFollower> self = new AtomicReference<>();
        follower = new TopicFollower(config(kafka.bootstrapServers()), List.of(topic), new TopicFollower.Listener() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                heard.record(record);
                self.get().close();
            }

            @Override
            public void caughtUp() {
                heard.caughtUp();
            }
        });
        self.set(follower);

        follower.start();

        await().atMost(PATIENCE).until(() -> !heard.all.isEmpty() && threads().isEmpty());
        assertThat(heard.all).containsExactly("a");
    }

    @Test
    void aNameThatNobodyKnowsIsTriedAgainAndCanBeClosed() {
        follower = new TopicFollower(config("no-such-host.invalid:9092"), List.of(topic), heard);

        follower.start();

        await().atMost(PATIENCE).until(() -> follower.trouble() != null);
        assertThat(threads()).hasSize(1);
        follower.close();
        awaitNoThread();
    }

    @Test
    void oneThatWasNeverStartedCanBeClosed() {
        follower = new TopicFollower(config("127.0.0.1:1"), List.of(topic), heard);

        follower.close();

        awaitNoThread();
    }

    private void follow(String... names) {
        follow(heard, names);
    }

    private void follow(TopicFollower.Listener listener, String... names) {
        follower = new TopicFollower(config(kafka.bootstrapServers()), List.of(names), listener);
        follower.start();
    }

    private static Map<String, Object> config(String broker) {
        return Map.of("bootstrap.servers", broker, "metadata.max.age.ms", 500);
    }

    private void hears(String... expected) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard.all).containsExactly(expected));
    }

    /** Closing waits for the thread a few seconds only. */
    private void awaitNoThread() {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains(topic))
                .toList();
    }
}

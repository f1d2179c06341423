package io.sluice.analyzer.run;

import io.sluice.contract.topic.RecordSignatures;
import io.sluice.settings.AnalyzerSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.errors.LogAndFailExceptionHandler;
import org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler;

/** Every setting of Kafka Streams that is not its default, and why. */
final class StreamsSettings {
    /** The least that brokers allow by default. */
    private static final int SESSION_MILLIS = 6_000;

    private static final int HEARTBEAT_MILLIS = 2_000;

    private static final int MINUTE = 60_000;
    /** Few enough that a record is still in the processor's cache when it is processed. */
    private static final int LEAST_POLL_RECORDS = 500;

    private static final int MOST_POLL_RECORDS = 5_000;

    /** Keeps the looks of Kafka Streams at its tasks, some microseconds each, a small part of what a poll's records take. */
    private static final int POLL_RECORDS_PER_TASK = 20;

    private static final int BATCH_BYTES = 128 * 1024;

    /** An analyzer that reads a backlog combines more when commits are rarer. */
    private static final long LONGEST_COMMIT_MILLIS = 2_000;

    private static final long IDLE_COMMIT_MILLIS = 30_000;

    /** A thread with up to so many tasks per millisecond of a poll needs a few percent of a core for them when they are idle. */
    private static final long TASKS_PER_POLL_MILLI = 2;

    private static final long LONGEST_POLL_MILLIS = 250;

    private StreamsSettings() {}

    /**
     * @param tasks number of tasks of all analyzers together
     * @throws CannotStart naming what can't be used
     */
    static StreamsConfig of(AnalyzerOptions options, int tasks) throws CannotStart {
        Map<String, Object> settings = new HashMap<>(options.client());
        // Kafka Streams would leave the process id out of its clients' ids, by which a restarted instance knows itself
        settings.remove(CommonClientConfigs.CLIENT_ID_CONFIG);
        signatures(settings);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, options.applicationId());
        reaction(settings, options.analyzer(), tasks);
        failures(settings);
        membership(settings, options);
        state(settings, options);
        throughput(settings, pollRecords(options.analyzer(), tasks));
        return new StreamsConfig(settings);
    }

    /** The longest that the long tail of usage waits, however far behind it is read, in milliseconds. */
    static long longestCommit(AnalyzerSettings analyzer) {
        return Math.max(LONGEST_COMMIT_MILLIS, analyzer.commit());
    }

    /**
     * How long a member that has died stays in the group, in milliseconds: others take over then. A machine that stands still for longer loses its
     * tasks, so the user's Kafka settings may say more.
     *
     * @throws CannotStart when they say anything but a number above that of the heartbeats
     */
    static int session(Map<String, Object> client) throws CannotStart {
        Object given = client.getOrDefault(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
        try {
            int millis = Integer.parseInt(given.toString().trim());
            if (millis > HEARTBEAT_MILLIS) {
                return millis;
            }
        } catch (NumberFormatException e) {
            // answered below, together with what is allowed
        }
        throw new CannotStart("kafka: " + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG + ": found '" + given
                + "', allowed: a whole number of milliseconds above " + HEARTBEAT_MILLIS + ", as brokers allow");
    }

    /**
     * How long a poll waits for input, in milliseconds. On quiet input a tick waits for it. Kafka Streams looks at each of its tasks after each
     * poll, so with many tasks polls are longer: input ends a poll at once, whatever it could have waited.
     */
    static long poll(AnalyzerSettings analyzer, int tasks) {
        long share = tasks / (TASKS_PER_POLL_MILLI * analyzer.threads());
        return Math.max(analyzer.tick(), Math.min(share, LONGEST_POLL_MILLIS));
    }

    /** How many records a poll returns: more where there are many tasks, all of which Kafka Streams looks at after each poll. */
    static int pollRecords(AnalyzerSettings analyzer, int tasks) {
        int share = POLL_RECORDS_PER_TASK * tasks / analyzer.threads();
        return Math.max(LEAST_POLL_RECORDS, Math.min(share, MOST_POLL_RECORDS));
    }

    /** How soon a decision is out. */
    private static void reaction(Map<String, Object> settings, AnalyzerSettings analyzer, int tasks) {
        // tasks ask for it as soon as they have something to commit, each analyzer.commit(); idle ones need none
        settings.put(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                analyzer.exactlyOnce() ? longestCommit(analyzer) : IDLE_COMMIT_MILLIS);
        settings.put(StreamsConfig.POLL_MS_CONFIG, poll(analyzer, tasks));
        // partitions of a task need no common order; to look for one costs Kafka Streams a formatted text per task and
        // poll
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // a record cache would hold decisions back until the commit; the combiner is our cache
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        // one producer serves all sinks of a thread, and Kafka Streams would let it wait 100 ms
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        if (analyzer.exactlyOnce()) {
            settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        } else {
            // exact but for an unclean end, and twice as fast to react and to take over
            settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        }
    }

    /** Locks are signed by the producers of the threads, where there is a key. */
    private static void signatures(Map<String, Object> settings) {
        if (settings.containsKey(RecordSignatures.KEY_FILE)) {
            String interceptors = StreamsConfig.producerPrefix(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
            settings.put(interceptors, RecordSignatures.interceptors(settings.get(interceptors)));
        }
    }

    /** Bad input never gets as far as Kafka Streams: what does is broken infrastructure, and skipping it would lose events. */
    private static void failures(Map<String, Object> settings) {
        settings.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndFailExceptionHandler.class);
        settings.put(
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndFailProcessingExceptionHandler.class);
        settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, DefaultProductionExceptionHandler.class);
        // there is no global thread; unsaid, a warning at each start asks about it
        settings.put("processing.exception.handler.global.enabled", true);
        // five minutes of retries without a message are four too many
        settings.put(StreamsConfig.TASK_TIMEOUT_MS_CONFIG, MINUTE);
        // a new access log is read from its beginning: old events decide nothing, but they fill the windows
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    }

    /** How fast another instance, or this one after a restart, goes on. */
    private static void membership(Map<String, Object> settings, AnalyzerOptions options) throws CannotStart {
        AnalyzerSettings analyzer = options.analyzer();
        // a restarted instance gets its tasks back at once instead of waiting for its former self to time out
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), analyzer.instance());
        settings.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), session(options.client()));
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), HEARTBEAT_MILLIS);
        // a thread that is stuck loses its tasks
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG), MINUTE);
        // published to the group, whose members pass on questions about callers that are counted here
        if (options.address() != null) {
            settings.put(StreamsConfig.APPLICATION_SERVER_CONFIG, options.address());
        }
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, analyzer.standbys());
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, analyzer.threads());
    }

    private static void state(Map<String, Object> settings, AnalyzerOptions options) {
        // the default lies in the system's temporary directory, which loses it at a reboot
        settings.put(StreamsConfig.STATE_DIR_CONFIG, options.stateDirectory().toString());
        settings.put(
                StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) options.topics().replication());
        settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksMemory.class);
        settings.put(BoundedRocksMemory.BYTES, options.analyzer().rocksdbMemory());
        // a day by default: for windows of a minute the changelog would be garbage to the last percent
        settings.put(StreamsConfig.WINDOW_STORE_CHANGE_LOG_ADDITIONAL_RETENTION_MS_CONFIG, 10L * MINUTE);
        // a generated name would change with the topology, and leave its state behind
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    }

    private static void throughput(Map<String, Object> settings, int pollRecords) {
        // without a linger a commit's records would leave in batches of a few; so they gather while the one before is
        // on its way
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), pollRecords);
        settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 2 * pollRecords);
        // what brokers could ask for is in our own counters
        settings.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    }
}

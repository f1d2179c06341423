package io.sluice.neighbours;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.topic.TopicReader;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;

/**
 * A real broker on a free loopback port, and a real analyzer that locks callers with more than {@value #ABOVE} requests within five minutes: however
 * slow the machine is, a crowd gets there, and its lock does not end before its test.
 * Both run in this process and stop with {@link #close}.
 */
public final class Neighbourhood implements AutoCloseable {
    /** As many requests within five minutes are still no noise. */
    public static final int ABOVE = 100;

    private static final String POLICIES = """
            policies:
              - name: noisy-neighbour
                per: [caller]
                window: 5m
                lock: { when: [{ above: %d }], mode: block, for: 5m }
            """.formatted(ABOVE);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final EmbeddedKafka broker;
    private final Analyzer analyzer;

    private Neighbourhood(EmbeddedKafka broker, Analyzer analyzer) {
        this.broker = broker;
        this.analyzer = analyzer;
    }

    /**
     * Starts both, for the access logs of Sluice's own agents.
     *
     * @param folder an empty one, for the analyzer's files
     */
    public static Neighbourhood open(Path folder) throws Exception {
        return open(folder, "sources: [{ topic: sluice.requests }]");
    }

    /**
     * Starts both.
     *
     * @param folder an empty one, for the analyzer's files
     * @param settings lines of {@code sluice.yml}, such as its {@code sources}; broker, policies and state directory are added
     * @throws Exception whatever keeps them from starting
     */
    public static Neighbourhood open(Path folder, String settings) throws Exception {
        return open(folder, settings, POLICIES);
    }

    /**
     * Starts both with other policies.
     *
     * @param folder an empty one, for the analyzer's files
     * @param settings lines of {@code sluice.yml}, such as its {@code sources}; broker, policies and state directory are added
     * @param policies a policy file
     * @throws Exception whatever keeps them from starting
     */
    public static Neighbourhood open(Path folder, String settings, String policies) throws Exception {
        EmbeddedKafka broker = EmbeddedKafka.builder().start();
        try {
            return new Neighbourhood(
                    broker, Analyzer.start(options(folder, broker.bootstrapServers(), settings, policies)));
        } catch (Exception e) {
            broker.close();
            throw e;
        }
    }

    private static AnalyzerOptions options(Path folder, String bootstrap, String settings, String policySet)
            throws IOException, InvalidSettings, MalformedRecord, InvalidPolicies {
        Path policies = Files.writeString(folder.resolve("policies.yml"), policySet);
        Path file = Files.writeString(
                folder.resolve("sluice.yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { create: true }
                analyzer: { instance: neighbourhood, state-dir: "%s" }
                %s
                """.formatted(bootstrap, folder.resolve("state"), settings));
        SluiceSettings read = SluiceSettings.read(file, Map.of());
        return AnalyzerOptions.of(read, read.kafka().client(), PolicyFile.read(policies));
    }

    /** {@code host:port} of the broker. */
    public String bootstrap() {
        return broker.bootstrapServers();
    }

    /** The analyzer, to look at. */
    public Analyzer analyzer() {
        return analyzer;
    }

    /** The requests that agents have logged so far, read from the topic. */
    public List<RequestEvent> logged() throws MalformedRecord {
        List<byte[]> records = new ArrayList<>();
        Map<String, Object> client = Map.of("bootstrap.servers", bootstrap());
        try (TopicReader topic = new TopicReader(client, IsolationLevel.READ_COMMITTED, PATIENCE, PATIENCE)) {
            topic.read(topic.since(List.of("sluice.requests"), 0), record -> records.add(record.value()));
        }
        RequestEventReader events = RequestEventReader.ours();
        List<RequestEvent> logged = new ArrayList<>();
        for (byte[] record : records) {
            logged.add(events.read(record));
        }
        return logged;
    }

    /** For messages: how the analyzer is, and what it has counted. */
    @Override
    public String toString() {
        return "analyzer: running %s, milliseconds behind %s, counts %s"
                .formatted(analyzer.running(), analyzer.lag(), analyzer.counts());
    }

    @Override
    public void close() {
        analyzer.close();
        broker.close();
    }
}

package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsSettingsTest {

    @ParameterizedTest
    @CsvSource({"8, 1, 5", "32, 1, 16", "128, 1, 64", "128, 2, 32", "512, 1, 250", "2000, 4, 250"})
    void poll_manyTasksOfAThread_isLonger(int tasks, int threads, long millis) {
        assertThat(StreamsSettings.poll(analyzer(threads), tasks)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 500", "25, 1, 500", "128, 1, 2560", "128, 4, 640", "512, 1, 5000", "2000, 4, 5000"})
    void poll_manyTasksOfAThread_returnsMoreRecords(int tasks, int threads, int records) {
        assertThat(StreamsSettings.pollRecords(analyzer(threads), tasks)).isEqualTo(records);
    }

    /** With one, Kafka Streams leaves the process id out of its clients' ids, by which {@link InstanceCheck} knows the former self. */
    @Test
    void of_clientIdOfTheUser_isLeftOut() throws CannotStart {
        assertThat(settings("client.id", "sluice"))
                .containsKey("bootstrap.servers")
                .doesNotContainKey("client.id");
    }

    /** A machine that stands still for longer loses its tasks. */
    @Test
    void of_sessionOfTheUser_isThatOfTheGroup() throws CannotStart {
        assertThat(settings("session.timeout.ms", " 60000 ")).containsEntry("main.consumer.session.timeout.ms", 60_000);
        assertThat(settings("client.id", "sluice")).containsEntry("main.consumer.session.timeout.ms", 6_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1m", "2000", "-1", ""})
    void of_sessionThatIsNone_isAnErrorThatNamesIt(String found) {
        assertThatThrownBy(() -> settings("session.timeout.ms", found))
                .isInstanceOf(CannotStart.class)
                .hasMessage("kafka: session.timeout.ms: found '" + found
                        + "', allowed: a whole number of milliseconds above 2000, as brokers allow");
    }

    /** By it the settings bound {@code analyzer.commit}. */
    @ParameterizedTest
    @CsvSource({"transaction.timeout.ms, 40000", "producer.transaction.timeout.ms, 40000", "client.id, 10000"})
    void of_transactionTimeoutOfTheUser_isThatOfTheProducers(String name, int millis) throws CannotStart {
        AnalyzerOptions options =
                options(Map.of("bootstrap.servers", "127.0.0.1:1", name, "40000"), analyzer(1, Path.of("state"), true));

        assertThat(StreamsSettings.of(options, 1).getProducerConfigs("one").get("transaction.timeout.ms"))
                .hasToString(Integer.toString(millis));
    }

    private static Map<String, Object> settings(String name, String value) throws CannotStart {
        AnalyzerOptions options = options(Map.of("bootstrap.servers", "127.0.0.1:1", name, value), Path.of("state"));
        return StreamsSettings.of(options, 1).originals();
    }

    @ParameterizedTest
    @CsvSource({"./data/state, data/state", "../state, ../state", "state, state", "/var/lib/sluice, /var/lib/sluice"})
    void stateDirectory_isNamedWithoutTheDotInFront(String set, Path directory) {
        assertThat(options(Map.of(), Path.of(set)).stateDirectory())
                .hasToString(directory.toAbsolutePath().resolve("one").toString());
    }

    private static AnalyzerOptions options(Map<String, Object> client, Path state) {
        return options(client, analyzer(1, state));
    }

    private static AnalyzerOptions options(Map<String, Object> client, AnalyzerSettings analyzer) {
        return new AnalyzerOptions(
                client,
                new TopicSettings("sluice.", 1, (short) 1, true),
                true,
                List.of(TestFleet.json("sluice.requests")),
                analyzer,
                TestPolicies.above(1));
    }

    private static AnalyzerSettings analyzer(int threads) {
        return analyzer(threads, Path.of("state"));
    }

    private static AnalyzerSettings analyzer(int threads, Path state) {
        return analyzer(threads, state, false);
    }

    private static AnalyzerSettings analyzer(int threads, Path state, boolean exactlyOnce) {
        return new AnalyzerSettings(
                "one", state, threads, 0, exactlyOnce, 5, 200, 60_000, 5_000, 30_000, 600_000, 128 << 20);
    }
}

package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class BrokerLogTest {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    /** Stands for the console. */
    private final ListAppender<ILoggingEvent> console = new ListAppender<>();

    @TempDir
    Path folder;

    @BeforeEach
    void listen() {
        console.setContext(context);
        console.start();
        context.getLogger("ROOT").addAppender(console);
    }

    @AfterEach
    void stop() {
        context.getLogger("ROOT").detachAppender(console);
    }

    private boolean shown(String text) {
        return console.list.stream()
                .anyMatch(event -> event.getFormattedMessage().equals(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.server.KafkaApis",
                "state.change.logger",
                "org.apache.kafka.raft.A",
                "org.apache.kafka.server.B"
            })
    void errorOfTheBroker_goesToTheFileAndNotToTheConsole(String logger) throws IOException {
        Path file = folder.resolve("data/broker.log");

        try (BrokerLog log = BrokerLog.ofBroker(file)) {
            LoggerFactory.getLogger(logger).error("while redirected");
            LoggerFactory.getLogger(logger).info("too much");
            assertThat(log.file())
                    .isEqualTo(file)
                    .content()
                    .contains("ERROR")
                    .contains("while redirected")
                    .doesNotContain("too much");
        }
        LoggerFactory.getLogger(logger).error("afterwards");

        assertThat(shown("while redirected")).isFalse();
        assertThat(shown("afterwards")).isTrue();
        assertThat(Files.readString(file)).doesNotContain("afterwards");
    }

    @Test
    void errorOfAClient_reachesTheConsole() {
        try (BrokerLog log = BrokerLog.ofBroker(folder.resolve("broker.log"))) {
            LoggerFactory.getLogger("org.apache.kafka.clients.NetworkClient").error("client");
            LoggerFactory.getLogger("org.apache.kafka.streams.KafkaStreams").error("streams");
            assertThat(log.file()).isEmptyFile();
        }

        assertThat(shown("client")).isTrue();
        assertThat(shown("streams")).isTrue();
    }

    @Test
    void allOfKafka_goesToTheFile() {
        try (BrokerLog log = BrokerLog.ofAllKafka(folder.resolve("broker.log"))) {
            LoggerFactory.getLogger("org.apache.kafka.clients.NetworkClient").error("client");
            assertThat(log.file()).content().contains("client");
        }

        assertThat(shown("client")).isFalse();
    }
}

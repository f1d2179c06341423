package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.settings.HttpSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class AdvertisedTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, '127.0.0.1:9092', 127.0.0.1:8480",
        "localhost, '127.0.0.1:9092', localhost:8480",
        "::1, '127.0.0.1:9092', [::1]:8480",
        "0.0.0.0, '127.0.0.1:9092,10.255.255.1:9092', 127.0.0.1:8480",
        "0.0.0.0, '127.0.0.1:1', 127.0.0.1:8480",
        "0.0.0.0, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.invalid:9092, 127.0.0.1:9092', 127.0.0.1:8480",
        "0.0.0.0, '${env:KAFKA},127.0.0.1:9092', 127.0.0.1:8480",
        "0.0.0.0, 'PLAINTEXT://127.0.0.1:9092', 127.0.0.1:8480",
        "::, '127.0.0.1:9092', 127.0.0.1:8480"
    })
    void othersReachItWhereItIsBoundOrWhereItReachesKafkaFrom(String bind, String brokers, String address) {
        assertThat(Advertised.of(new HttpSettings(bind, 8480), Map.of("bootstrap.servers", brokers)))
                .isEqualTo(address);
    }

    @Test
    void withoutPages_thereIsNoAddress() {
        Map<String, Object> kafka = Map.of("bootstrap.servers", "127.0.0.1:9092");

        assertThat(Advertised.of(new HttpSettings("127.0.0.1", 0), kafka)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not a broker",
                "${env:KAFKA}",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.invalid:9092"
            })
    void brokersWithoutAnAddress_areAWarningThatNamesTheRemedy(String brokers) {
        Logger logger = (Logger) LoggerFactory.getLogger(Advertised.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            assertThat(Advertised.of(new HttpSettings("0.0.0.0", 8480), Map.of("bootstrap.servers", brokers)))
                    .isNull();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("http.bind is 0.0.0.0", brokers, "as missing", "set http.bind to an address");
    }
}

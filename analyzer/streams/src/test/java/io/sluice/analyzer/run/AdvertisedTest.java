package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.HttpSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdvertisedTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, '127.0.0.1:9092', 127.0.0.1:8480",
        "localhost, '127.0.0.1:9092', localhost:8480",
        "::1, '127.0.0.1:9092', [::1]:8480",
        "0.0.0.0, '127.0.0.1:9092,10.255.255.1:9092', 127.0.0.1:8480",
        "0.0.0.0, '127.0.0.1:1', 127.0.0.1:8480"
    })
    void othersReachItWhereItIsBoundOrWhereItReachesKafkaFrom(String bind, String brokers, String address) {
        assertThat(Advertised.of(new HttpSettings(bind, 8480), Map.of("bootstrap.servers", brokers)))
                .isEqualTo(address);
    }

    @Test
    void whoeverServesNobodyOrKnowsNoAddressTellsNone() {
        Map<String, Object> kafka = Map.of("bootstrap.servers", "127.0.0.1:9092");

        assertThat(Advertised.of(new HttpSettings("127.0.0.1", 0), kafka)).isNull();
        assertThat(Advertised.of(new HttpSettings("0.0.0.0", 8480), Map.of("bootstrap.servers", "not a broker")))
                .isNull();
    }
}

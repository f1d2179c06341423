package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MaskedSettingsTest {

    @Test
    void secrets_andUsersInUrls_areMasked_othersAreShown() {
        assertThat(MaskedSettings.text(Map.of(
                        "acks", 1,
                        "ssl.keystore.password", "a",
                        "sasl.jaas.config", "b",
                        "ssl.keystore.key", "c",
                        "key.serializer", "d",
                        "proxy", "http://user:e@host/")))
                .isEqualTo("{acks=1, key.serializer=d, proxy=http://********@host/, sasl.jaas.config=********,"
                        + " ssl.keystore.key=********, ssl.keystore.password=********}");
    }
}

package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://user:pa/ss@host/path          | http://********@host/path",
                "http://user:p@ss@host/path           | http://********@host/path",
                "https://h/x?apikey=S3CRET&a=b        | https://h/x?apikey=********&a=b",
                "https://h/x?a=b;access_token=S3CRET  | https://h/x?a=b;access_token=********",
                "https://h/x?a=b&password=            | https://h/x?a=b&password=********",
                "https://h/x?page=2                   | https://h/x?page=2",
                "a:9092,b:9092                        | a:9092,b:9092",
            })
    void urls_underAnyName_showNeitherUsersNorSecretParameters(String url, String shown) {
        assertThat(MaskedSettings.value("endpoint", url)).isEqualTo(shown);
    }
}

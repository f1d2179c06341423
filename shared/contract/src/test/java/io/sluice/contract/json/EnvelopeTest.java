package io.sluice.contract.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"type\":\"lock\",\"format\":1}",
                "{\"type\":\"lock\",\"format\":1}",
                "{\"format\":1,\"type\":\"lock\"}",
                "{\"type\":\"lock\",\"a\":1,\"format\":1}",
                "{\"a\":1,\"type\":\"lock\",\"format\":1 }",
                "{\"a\":1,\"type\":\"lock\",\"format\":2}",
                "{\"a\":\",\\\"type\\\":\\\"other\",\"type\":\"lock\",\"format\":1}",
                "{\"type\":\"lock\",\"format\":2,\"a\":{\"b\":1,\"type\":\"other\",\"format\":1}}",
            })
    void aGlanceSeesWhatReadingSees(String document) throws MalformedRecord {
        assertThat(Envelope.glance(bytes(document), "it")).isEqualTo(Envelope.read(bytes(document), "it"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "}",
                "\",\"format\":1}",
                "{\"a\":1,\"type\":\"\",\"format\":1}",
                "{\"a\":1,\"type\":7,\"format\":1}",
                "{\"a\":1,\"kind\":\"lock\",\"format\":1}",
                "{\"a\":1,\"type\":\"lock\",\"format\":0}",
            })
    void whatDoesNotEndAsWeWriteItIsReadAsAWhole(String document) {
        assertThatThrownBy(() -> Envelope.glance(bytes(document), "it")).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aGlanceReadsNothingButTheEnd() throws MalformedRecord {
        assertThat(Envelope.glance(bytes("not JSON,\"type\":\"lock\",\"format\":1}"), "it"))
                .isEqualTo(new Envelope("lock", 1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package io.sluice.contract.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedJsonTest {

    @Test
    void aDocumentOf64KiBIsRead() throws MalformedRecord {
        read(padded(BoundedJson.MAX_BYTES));
    }

    @Test
    void aDocumentOfOneByteMoreIsRefusedUnread() {
        assertThatThrownBy(() -> read(padded(BoundedJson.MAX_BYTES + 1)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("65537 bytes long, at most 65536 are read");
    }

    @Test
    void twentyLevelsAreRead() throws MalformedRecord {
        read(deep(20));
    }

    @Test
    void twentyOneLevelsAreRefused() {
        refused(deep(21), "longer, deeper or larger than allowed");
    }

    @Test
    void aStringMayBeAsLongAsTheDocumentLetsIt() throws MalformedRecord {
        assertThat(text("a".repeat(65_000))).hasSize(65_000);
    }

    @Test
    void aNameOf256CharactersIsRead() throws MalformedRecord {
        read("{\"" + "n".repeat(256) + "\":1}");
    }

    @Test
    void aNameOf257CharactersIsRefused() {
        refused("{\"" + "n".repeat(257) + "\":1}", "longer, deeper or larger than allowed");
    }

    @Test
    void aNumberOf33DigitsIsRefused() {
        refused("{\"n\":" + "1".repeat(33) + "}", "longer, deeper or larger than allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "null",
                "{",
                "{}{}",
                "{} x",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":1,}",
                "{\"a\":1 /* x */}",
                "{\"a\":\"\t\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":{\"b\":1,\"b\":1}}",
            })
    void whatIsNotOneStrictObjectIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32"})
    void onlyUtf8IsRead(String charset) {
        byte[] json = "{\"a\":1}".getBytes(Charset.forName(charset));

        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        byte[] json = "{\"a\":\"x\"}".getBytes(StandardCharsets.UTF_8);
        json[6] = (byte) 0xff;

        assertThatThrownBy(() -> {
                    try (JsonObjectReader object = JsonObjectReader.of(json, "test")) {
                        object.next();
                        object.text();
                    }
                })
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("test.a: not valid JSON at byte");
    }

    @Test
    void aComplaintTellsPlaceAndByteButNotWhatStandsThere() {
        assertThatThrownBy(() -> read("{\"token\": s3cr3t}"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith("test: not valid JSON at byte 1")
                .hasMessageNotContaining("s3cr3t")
                .hasMessageNotContaining("token");
    }

    private static void refused(String json, String message) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class).hasMessageContaining(message);
    }

    private static void read(String json) throws MalformedRecord {
        read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void read(byte[] json) throws MalformedRecord {
        try (JsonObjectReader object = JsonObjectReader.of(json, "test")) {
            while (object.next()) {
                object.skip();
            }
        }
    }

    private static String text(String text) throws MalformedRecord {
        byte[] json = ("{\"a\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
        try (JsonObjectReader object = JsonObjectReader.of(json, "test")) {
            object.next();
            return object.text();
        }
    }

    private static String padded(int length) {
        return "{}" + " ".repeat(length - 2);
    }

    /** An object that holds lists in lists: {@code levels} in all. */
    private static String deep(int levels) {
        return "{\"a\":" + "[".repeat(levels - 1) + "]".repeat(levels - 1) + "}";
    }
}

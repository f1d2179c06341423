package io.sluice.contract.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNodesTest {

    @Test
    void everyPartKnowsItsLine() throws MalformedRecord {
        Node.Mapping root = (Node.Mapping) read("{\n \"a\": 1,\n \"b\":\n [true,\n null]\n}");

        Node.Entry b = root.entries().get(1);
        Node.Listing items = (Node.Listing) b.value();
        assertThat(root.entries().get(0).value().place()).hasToString("file:2");
        assertThat(b.place().line()).isEqualTo(3);
        assertThat(items.place().line()).isEqualTo(4);
        assertThat(items.items().get(1).place().line()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{}",
                "[]",
                "null",
                "true",
                "-1.5e3",
                "\"\"",
                "[[],{}]",
                "{\"b\":1,\"a\":[\"x\",null,false]}",
                "\"é \\\\ \\\" \\u0000\\n\""
            })
    void compactJsonIsWrittenAsItWasRead(String json) throws MalformedRecord {
        assertThat(new String(JsonNodes.write(read(json)), StandardCharsets.UTF_8))
                .isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "{'a':1}",
                "[1,]",
                "[NaN]",
                "[01]",
                "[.5]",
                "[+1]",
                "// x\n1",
                "1 2",
                "{}{}",
                "[\"\n\"]",
                "[tru]",
                "[\"\\x\"]",
                "{\"a\":1,\"a\":2}",
                "\u0000"
            })
    void whatIsNotJsonIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class).hasMessageStartingWith("file");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 5000, 300_000})
    void deepNestingIsRefused(int depth) {
        assertThatThrownBy(() -> read("[".repeat(depth) + "]".repeat(depth))).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void nestingAsDeepAsTheBoundIsRead() throws MalformedRecord {
        assertThat(read("[".repeat(20) + "]".repeat(20))).isInstanceOf(Node.Listing.class);
    }

    @Test
    void longTextsKeysAndNumbersAreRefused() {
        assertThatThrownBy(() -> read("\"" + "x".repeat(8193) + "\"")).isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> read("{\"" + "x".repeat(257) + "\":1}")).isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> read("1".repeat(33))).isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> JsonNodes.read(new byte[JsonNodes.MAX_BYTES + 1], "file"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("1048577 bytes");
    }

    @Test
    void onlyUtf8IsRead() {
        assertThatThrownBy(() -> JsonNodes.read("{}".getBytes(StandardCharsets.UTF_16LE), "file"))
                .isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> JsonNodes.read(new byte[] {'"', (byte) 0xff, '"'}, "file"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("file: not UTF-8");
    }

    @Test
    void aRefusalNeverRepeatsTheDocument() {
        assertThatThrownBy(() -> read("{\"password\": secret}"))
                .hasMessageNotContainingAny("secret", "password")
                .hasMessageContaining("file:1");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 3));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void randomBytesThrowNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] alphabet = "{}[]\",:truefalsn0123456789.eE-\\ud8 \n\u00e9".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 50_000; i++) {
            byte[] json = new byte[random.nextInt(40)];
            for (int j = 0; j < json.length; j++) {
                json[j] = alphabet[random.nextInt(alphabet.length)];
            }
            try {
                assertThat(JsonNodes.read(json, "file")).isNotNull();
            } catch (MalformedRecord e) {
                assertThat(e).hasMessageStartingWith("file");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"polices, policies", "Match, match", "wimdow, window", "x, ", "completelyelse, ", "wen, when"})
    void theNearestWordIsTheOneOfFewestEditsIfAnyIsNear(String found, String nearest) {
        assertThat(Nearest.to(found, java.util.List.of("policies", "match", "window", "when")))
                .isEqualTo(nearest);
    }

    private static Node read(String json) throws MalformedRecord {
        return JsonNodes.read(json.getBytes(StandardCharsets.UTF_8), "file");
    }
}

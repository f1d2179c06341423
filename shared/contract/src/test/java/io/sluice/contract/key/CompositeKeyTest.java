package io.sluice.contract.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.Vectors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompositeKeyTest {

    @ParameterizedTest
    @MethodSource("vectors")
    void aListHasTheKeyOfTheGoldenVector(Node.Mapping vector) {
        assertThat(CompositeKey.text(Vectors.texts(vector, "elements"))).isEqualTo(Vectors.text(vector, "key"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aGoldenKeyReadsAsItsList(Node.Mapping vector) throws MalformedRecord {
        byte[] key = Vectors.text(vector, "key").getBytes(StandardCharsets.UTF_8);

        assertThat(CompositeKey.read(key)).isEqualTo(Vectors.texts(vector, "elements"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void hostileStringsComeBackAndNoTwoListsShareTheirBytes(long seed) throws MalformedRecord {
        Random random = new Random(seed);
        Map<String, List<String>> lists = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            List<String> elements = hostile(random);

            byte[] key = CompositeKey.bytes(elements);

            assertThat(CompositeKey.read(key)).isEqualTo(elements);
            List<String> before = lists.put(new String(key, StandardCharsets.ISO_8859_1), elements);
            assertThat(before == null || before.equals(elements)).isTrue();
        }
    }

    /** Short texts of the characters that could break a key, so that collisions would be likely. */
    private static List<String> hostile(Random random) {
        String alphabet = "\",\\[]au0d8 \u0000\n\u001f\u007f\u2028é\ud83d\ude00\udc00\ud800";
        List<String> elements = new ArrayList<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            StringBuilder element = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                element.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            elements.add(element.toString());
        }
        return elements;
    }

    @Test
    void aSurrogateWithoutItsOtherHalfIsEscapedBecauseUtf8CannotHoldIt() {
        assertThat(CompositeKey.text(List.of("\ud800", "\ud83d\ude00"))).isEqualTo("[\"\\ud800\",\"\ud83d\ude00\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "acme",
                "\"acme\"",
                "{}",
                "null",
                "[",
                "[\"a\"",
                "[\"a\",]",
                "[1]",
                "[null]",
                "[true]",
                "[[\"a\"]]",
                "[ \"a\"]",
                "[\"a\", \"b\"]",
                " [\"a\"]",
                "[\"a\"]\n",
                "[\"a\"][\"b\"]",
                "[\"\\u0061\"]",
                "[\"\\/\"]",
                "[\"\\u000A\"]",
                "[\"\\ud83d\\ude00\"]",
                "['a']",
                "[\"a\" \"b\"]"
            })
    void whatIsNotAMinimalArrayOfStringsIsRefused(String key) {
        assertThatThrownBy(() -> CompositeKey.read(key.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aKeyThatIsNotUtf8IsRefused() {
        byte[] key = {'[', '"', (byte) 0xc0, (byte) 0xaf, '"', ']'};

        assertThatThrownBy(() -> CompositeKey.read(key))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aRefusalNeverRepeatsTheKey() {
        byte[] key = "[\"secret\", \"x\"]".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> CompositeKey.read(key)).hasMessageNotContaining("secret");
    }

    static Stream<Node.Mapping> vectors() {
        return Vectors.of("keys");
    }
}

package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SubjectCodeTest {
    private static SubjectKey key(String text) {
        return SubjectKey.of(List.of(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\0",
                "a\0",
                "\0a",
                "12345678",
                "123456789",
                "1234567890",
                "\u007f",
                "1234567890123456",
                "12345678901234567"
            })
    void aShortAsciiTextIsItsOwnCode(String text) {
        SubjectKey key = key(text);
        assertThat(key.name()).isNull();
        assertThat(key.tail()).isNotNegative();
        assertThat(key.subject(1)).containsExactly(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "123456789012345678",
                "\u0080",
                "é",
                "12345678é",
                "123456789é",
                "1234567890123456é",
                "中",
                "\ud83d\ude00"
            })
    void anyOtherTextIsComparedByItself(String text) {
        SubjectKey key = key(text);
        assertThat(key.name()).isEqualTo(text);
        assertThat(key.tail()).isEqualTo(SubjectKey.NAMED);
        assertThat(key.subject(1)).containsExactly(text);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 3));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void differentTextsHaveDifferentKeys(long seed) {
        Random random = new Random(seed);
        Map<SubjectKey, String> known = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            String text = text(random);
            String before = known.put(key(text), text);
            assertThat(before == null || before.equals(text)).as(text).isTrue();
        }
        assertThat(known).hasSizeGreaterThan(10_000);
    }

    /** Few characters, so that texts are alike, and lengths around the longest code. */
    private static String text(Random random) {
        char[] text = new char[random.nextInt(20)];
        for (int i = 0; i < text.length; i++) {
            text[i] = "\0a\u007f\u0080\u00ff".charAt(random.nextInt(random.nextInt(4) == 0 ? 5 : 3));
        }
        return new String(text);
    }

    @Test
    void severalValuesAreAnotherSubjectThanTheirConcatenation() {
        assertThat(SubjectKey.of(List.of("ab", "c"))).isNotEqualTo(SubjectKey.of(List.of("a", "bc")));
        assertThat(SubjectKey.of(List.of("a", "b"))).isNotEqualTo(SubjectKey.of(List.of("b", "a")));
        assertThat(SubjectKey.of(List.of("a", "b")).subject(2)).containsExactly("a", "b");
        assertThat(SubjectKey.of(List.of()).subject(0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller-", "a-tenant-with-a-long-name-", ""})
    void hashesAreSpreadEvenly(String name) {
        int[] low = new int[256];
        int[] high = new int[256];
        for (int i = 0; i < 256_000; i++) {
            SubjectKey key = key(name + i);
            long hash = SubjectCode.hash(key.head(), key.tail());
            low[(int) hash & 255]++;
            high[(int) (hash >>> 56)]++;
        }
        // ten standard deviations
        assertThat(Arrays.stream(low)).allMatch(it -> Math.abs(it - 1000) < 320);
        assertThat(Arrays.stream(high)).allMatch(it -> Math.abs(it - 1000) < 320);
    }
}

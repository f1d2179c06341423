package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttributeTextTest {

    @Test
    void aTextOf128BytesStays() {
        String text = "ü".repeat(64);

        assertThat(AttributeText.bounded(text)).isSameAs(text);
    }

    @Test
    void aTextOf129BytesIsItsBeginningAndADigest() {
        // sha256sum of 129 letters a
        assertThat(AttributeText.bounded("a".repeat(129))).isEqualTo("a".repeat(64) + "…c12cb024a2e5551c");
    }

    @Test
    void aRouteMayHave512Bytes() {
        String route = "/" + "r".repeat(511);

        assertThat(AttributeText.boundedRoute(route)).isSameAs(route);
        assertThat(AttributeText.boundedRoute(route + "r")).hasSize(64 + 1 + 16);
    }

    @Test
    void halfASurrogatePairIsReplaced() {
        assertThat(AttributeText.bounded("a\ud800b\udc00")).isEqualTo("a\ufffdb\ufffd");
    }

    @Test
    void wholeSurrogatePairsStay() {
        assertThat(AttributeText.bounded("a\ud83d\ude00")).isEqualTo("a\ud83d\ude00");
    }

    @Test
    void textsThatDifferOnlyAtTheirEndStayDifferent() {
        Set<String> bounded = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            bounded.add(AttributeText.bounded("x".repeat(200) + i));
        }

        assertThat(bounded).hasSize(1000);
    }

    @Test
    void whateverTextIsBoundedWellFormedAndStaysTheSameTheSecondTime() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(200); left > 0; left--) {
                text.append((char) (random.nextInt(4) == 0 ? 0xd700 + random.nextInt(0x1000) : random.nextInt(0x900)));
            }

            String bounded = AttributeText.bounded(text.toString());

            byte[] utf8 = bounded.getBytes(StandardCharsets.UTF_8);
            assertThat(utf8).hasSizeLessThanOrEqualTo(AttributeText.MAX_BYTES);
            assertThat(new String(utf8, StandardCharsets.UTF_8)).isEqualTo(bounded);
            assertThat(AttributeText.bounded(bounded)).isEqualTo(bounded);
        }
    }
}

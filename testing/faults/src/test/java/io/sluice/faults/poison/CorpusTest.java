package io.sluice.faults.poison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.testing.Mutations;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CorpusTest {
    private static final String SOUND =
            "{\"time\":1,\"caller\":\"acme\",\"labels\":{\"a\":\"}\",\"b\":\"c\"},\"bytes\":5,\"type\":\"request\",\"format\":1}";

    @Test
    void nothingOfWhatIsPoisonAnywhereCanBeRead() {
        assertThat(Corpus.anywhere())
                .hasSizeGreaterThan(40)
                .allSatisfy((name, bytes) -> assertThatThrownBy(
                                () -> RequestEventReader.ours().read(bytes))
                        .as(name)
                        .isInstanceOf(MalformedRecord.class));
    }

    @Test
    void ofASoundRecordHardlyAnythingSoundIsLeft() {
        Map<String, byte[]> corpus = Corpus.of(SOUND);
        // others write access logs too: what they say of type and format hardly matters
        List<String> sound = corpus.keySet().stream()
                .filter(name -> !name.startsWith("type ") && !name.startsWith("format "))
                .filter(name -> readable(corpus.get(name)))
                .toList();

        assertThat(corpus).hasSizeGreaterThan(100).containsKeys("time NaN", "caller []", "labels null", "format twice");
        assertThat(corpus.get("no labels"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"time\":1,\"caller\":\"acme\",\"bytes\":5,\"type\":\"request\",\"format\":1}");
        assertThat(sound).contains("no bytes").hasSizeLessThan(corpus.size() / 5);
    }

    private static boolean readable(byte[] bytes) {
        try {
            RequestEventReader.ours().read(bytes);
            return true;
        } catch (MalformedRecord e) {
            return false;
        }
    }

    @Test
    void aSeedTellsWhatIsDamaged() {
        List<byte[]> sound = List.of(SOUND.getBytes(StandardCharsets.UTF_8));
        Mutations first = new Mutations(7);
        Mutations second = new Mutations(7);

        assertThat(IntStream.range(0, 100).mapToObj(i -> first.of(sound)))
                .zipSatisfy(
                        IntStream.range(0, 100).mapToObj(i -> second.of(sound)).toList(),
                        (one, other) -> assertThat(one).isEqualTo(other));
        assertThat(sound.get(0)).asString(StandardCharsets.UTF_8).isEqualTo(SOUND);
    }
}

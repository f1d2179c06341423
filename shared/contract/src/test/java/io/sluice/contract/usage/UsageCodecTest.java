package io.sluice.contract.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageCodecTest {

    @Test
    void anOrdinaryPartialTakesAFewDozenBytes() {
        UsagePartial partial = new UsagePartial(
                false,
                1_763_699_999L,
                250,
                200,
                50,
                1763699999000L,
                1763699999123L,
                new Origin(3, 1763690000000L),
                4711);

        assertThat(UsageCodec.write(partial)).hasSizeLessThanOrEqualTo(32);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | usage: empty",
                "01 | usage: format 0, this version reads 1",
                "7b7d | usage: format 7, this version reads 1",
                "1f | usage: neither a partial nor a position",
                "14 | usage: neither a partial nor a position",
                "13 | usage.position: ends too early, at byte 1",
                "1380 | usage.position: ends too early, at byte 2",
                "138000 | usage.position: not in its shortest form, at byte 2",
                "13ffffffffffffffffff01 | usage.position: larger than 63 bits, at byte 1",
                "1305020304ff | usage: something stands behind its end, at byte 5",
                "1305ffffffff080304 | usage.task: at most 65535 is expected, before byte 7",
                "16010203040500020304 | usage.micros: ends too early, at byte 10",
                "1601020304050002030400 | usage.micros: more than 0 is expected, before byte 11",
                "15010203040500020304 | usage.values: 1 to 8192 bytes are expected, from byte 10",
                "11010203040506020304 | usage.firstTime: at most 5 is expected, before byte 7",
            })
    void whatIsNotExactlyARecordIsRefused(String hex, String message) {
        assertThatThrownBy(() -> UsageCodec.read(HexFormat.of().parseHex(hex)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage(message);
    }

    @Test
    void everyShorterPieceOfARecordIsRefused() {
        byte[] whole =
                UsageCodec.write(new UsagePartial(true, 300, 300, 300, 300, 300, 500, new Origin(300, 300), 300));

        for (int length = 0; length < whole.length; length++) {
            byte[] piece = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> UsageCodec.read(piece)).isInstanceOf(MalformedRecord.class);
        }
    }

    @Test
    void aShortRecordCantAskForALongLoad() {
        // 14, first pane 0, 4,096 panes, and then nothing
        assertThatThrownBy(() -> LoadCodec.read(HexFormat.of().parseHex("14008020")))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("load.panes: at most 1 is expected, before byte 4");
    }

    @Test
    void usageMeetsTheSubjectsLockInItsPartition() {
        UsageKey key = new UsageKey("noisy@0123456789abcdef", List.of("acme", "/orders"));

        assertThat(key.bytes()).asString().isEqualTo("[\"noisy@0123456789abcdef\",\"acme\",\"/orders\"]");
        assertThat(key.partitionKey()).isEqualTo(CompositeKey.bytes(GateKeys.key("noisy", List.of("acme", "/orders"))));
    }

    @Test
    void aMetersKeyIsNoPolicys() throws MalformedRecord {
        assertThat(UsageKey.read(UsageKey.ofMeter(3).bytes()))
                .isEqualTo(new UsageKey("$meter", List.of("3")))
                .isEqualTo(UsageKey.ofMeter(3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[]", "[\"\"]", "{}", "[1]", "[ \"a\"]", "a"})
    void whatIsNoKeyIsRefused(String key) {
        assertThatThrownBy(() -> UsageKey.read(key.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aPartialThatEndsBeforeItBeganIsRefused() {
        assertThatThrownBy(() -> new UsagePartial(false, 0, 0, 0, 0, 2, 1, new Origin(0, 0), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

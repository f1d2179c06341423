package io.sluice.contract.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorJsonTest {
    private static final OperatorRecord.Lock LOCK =
            new OperatorRecord.Lock("p", List.of("acme"), Mode.BLOCK, 0, 0, "ada", "why", 1);

    @Test
    void theKillSwitchHasAKeyForAllAndOneForEachAgent() {
        assertThat(OperatorJson.key(new OperatorRecord.Enforce(null, false, 0, "ada", "why", 1)))
                .containsExactly("$enforce");
        assertThat(OperatorJson.key(new OperatorRecord.Enforce("orders-1", false, 0, "ada", "why", 1)))
                .containsExactly("$enforce", "orders-1");
    }

    @Test
    void lockAndReleaseOfASubjectReplaceEachOther() {
        assertThat(OperatorJson.key(new OperatorRecord.Release("p", List.of("acme"), 0, "ada", "why", 1)))
                .isEqualTo(OperatorJson.key(LOCK));
    }

    @Test
    void aRecordUnderAnothersKeyIsRefused() {
        byte[] key = CompositeKey.bytes(List.of("p", "other"));

        assertThatThrownBy(() -> OperatorJson.read(key, OperatorJson.write(LOCK)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("operator record: its key names another subject than its value");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"mode\":\"block\" | \"mode\":\"open\" | operator record.mode: block, throttle or shadow",
                "\"mode\":\"block\", | '' | operator record.mode is missing",
                "\"author\":\"ada\", | '' | operator record.author is missing",
                "\"reason\":\"why\", | '' | operator record.reason is missing",
                "\"ttlMillis\":0, | '' | operator record.ttlMillis is missing",
                "operator-lock | lock | operator record.type: not a lock",
                "operator-lock | operator-enforce | operator record.enforce is missing",
            })
    void whatIsMissingOrWrongIsRefusedByName(String part, String instead, String message) {
        String json = new String(OperatorJson.write(LOCK), StandardCharsets.UTF_8);
        assertThat(json).contains(part);
        byte[] damaged = json.replace(part, instead).getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> OperatorJson.read(CompositeKey.bytes(OperatorJson.key(LOCK)), damaged))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining(message);
    }

    @Test
    void readKey_withoutElements_isRefused() throws Exception {
        assertThat(OperatorJson.readKey(CompositeKey.bytes(List.of("p", "acme"))))
                .containsExactly("p", "acme");
        assertThatThrownBy(() -> OperatorJson.readKey("[]".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(MalformedRecord.class);
    }

    @Test
    void nobodyLocksWithModeOpen() {
        assertThatThrownBy(() -> new OperatorRecord.Lock("p", List.of(), Mode.OPEN, 0, 0, "ada", "why", 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

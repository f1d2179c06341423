package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateLockJsonTest {
    private static final String LOCK = """
            {"policy":"p","subject":["acme"],"mode":"block","ttlMillis":1000,"since":1,"until":2,"level":1,\
            "version":{"task":"decide-0","epoch":1,"seq":2},"type":"lock","format":1}""";

    @Test
    void aModeOfANewerAnalyzerIsUnknown() throws MalformedRecord {
        Optional<GateRecord> record = read(LOCK.replace("block", "quarantine"));

        assertThat(record).get().extracting("mode").isEqualTo(Mode.UNKNOWN);
    }

    @Test
    void anUnknownModeIsNeverWritten() {
        GateLock lock = lock(Mode.UNKNOWN);

        assertThatThrownBy(() -> GateLockJson.write(lock)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"policy\":\"p\", | '' | lock.policy is missing",
                "\"subject\":[\"acme\"], | '' | lock.subject is missing",
                "\"mode\":\"block\", | '' | lock.mode is missing",
                "\"ttlMillis\":1000, | '' | lock.ttlMillis is missing",
                "\"seq\":2 | \"x\":2 | lock.version.seq is missing",
                "\"type\":\"lock\", | '' | gate record.type is missing",
                "\"type\":\"lock\" | \"type\":\"policies\" | gate record.type: neither a lock nor a heartbeat",
                ",\"format\":1 | '' | gate record.format is missing",
                "\"format\":1 | \"format\":0 | gate record.format: a whole number from 1",
                "\"format\":1 | \"format\":\"1\" | gate record.format: a whole number from 1",
                "1000 | -1 | lock.ttlMillis: a whole number from 0",
                "1000 | \"1000\" | lock.ttlMillis: a whole number from 0",
                "1000 | 1e3 | lock.ttlMillis: a whole number from 0",
                "[\"acme\"] | \"acme\" | lock.subject: a list of strings",
                "[\"acme\"] | [\"acme\",5] | lock.subject: a list of strings",
                "\"p\" | \"\" | lock.policy: a string of 1 to 64",
                "\"level\":1 | \"rate\":-1 | lock.rate: a number from 0",
                "\"level\":1 | \"rate\":1e999 | lock.rate: a number from 0",
                "\"level\":1 | \"ratio\":1.01 | lock.ratio: a number from 0",
                "\"level\":1 | \"shadow\":\"yes\" | lock.shadow: true or false",
                "\"level\":1 | \"evidence\":[] | lock.evidence: an object",
                "\"level\":1 | \"evidence\":{\"sum\":\"5\"} | lock.evidence.sum: a number",
                "\"level\":1 | \"level\":1,\"level\":2 | a name stands twice",
            })
    void whatIsMissingOrWrongIsRefusedByName(String part, String instead, String message) {
        assertThat(LOCK).contains(part);

        assertThatThrownBy(() -> read(LOCK.replace(part, instead)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("acme");
    }

    @Test
    void evidenceMayTellLess() throws MalformedRecord {
        assertThat(read(LOCK.replace("\"level\":1", "\"level\":1,\"evidence\":{\"detector\":\"new\"}")))
                .get()
                .extracting("evidence.detector")
                .isEqualTo("new");
    }

    @Test
    void aServicesNameIsNotRepeatedInAComplaint() {
        String heartbeat = """
                {"instance":"a","time":1,"liveAgents":{"s3cr3t":-1},"version":{"task":"t","epoch":1,"seq":1},\
                "type":"heartbeat","format":1}""";

        assertThatThrownBy(() -> read(heartbeat))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith("heartbeat.liveAgents: a whole number from 0");
    }

    @Test
    void aRecordStandsUnderItsOwnKey() {
        AnalyzerHeartbeat heartbeat = new AnalyzerHeartbeat(new Version("decide-3", 1, 1), "a", 1, Map.of());

        assertThat(GateKeys.of(lock(Mode.BLOCK))).containsExactly("p", "acme");
        assertThat(GateKeys.of(heartbeat)).containsExactly("$analyzer", "decide-3");
        assertThat(GateKeys.isHeartbeat(GateKeys.of(heartbeat))).isTrue();
        assertThat(GateKeys.isHeartbeat(GateKeys.of(lock(Mode.BLOCK)))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "decide-1, 1, 1, false",
        "decide-1, 5, 6, false",
        "decide-1, 5, 7, false",
        "decide-1, 5, 8, true",
        "decide-1, 6, 0, true",
        "decide-1, 4, 99, false",
        "decide-2, 6, 8, false",
    })
    void aTasksRecordsAreOrderedByEpochThenBySequence(String task, long epoch, long seq, boolean after) {
        assertThat(new Version(task, epoch, seq).after(new Version("decide-1", 5, 7)))
                .isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({"BLOCK, true", "THROTTLE, true", "SHED, true", "SHADOW, false", "OPEN, false", "UNKNOWN, false"})
    void onlyThreeModesCanReject(Mode mode, boolean rejects) {
        assertThat(lock(mode).enforced()).isEqualTo(rejects);
    }

    private static GateLock lock(Mode mode) {
        return new GateLock(
                "p", List.of("acme"), mode, 0, 0, 1000, 1, 2, 1, false, false, null, new Version("decide-0", 1, 2));
    }

    private static Optional<GateRecord> read(String json) throws MalformedRecord {
        return GateLockJson.read(json.getBytes(StandardCharsets.UTF_8));
    }
}

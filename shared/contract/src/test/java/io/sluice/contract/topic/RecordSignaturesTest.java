package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordSignaturesTest {
    private static final TopicNames NAMES = new TopicNames("sluice.");
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] VALUE = "value".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void aSignedRecord_isAcceptedOnItsTopicOnly() throws IOException {
        Map<String, String> settings = settings("k1", false);
        Headers signed = signed(settings, NAMES.gateLocks(), KEY, VALUE);
        RecordSignatures signatures = RecordSignatures.of(settings);

        assertThat(signatures.refusal(record(NAMES.gateLocks(), KEY, VALUE, signed)))
                .isNull();
        assertThat(signatures.refusal(record(NAMES.operator(), KEY, VALUE, signed)))
                .isEqualTo("has a signature that does not fit it, or of another key than [k1]");
        assertThat(signatures.refusal(record(NAMES.requests(), KEY, VALUE, signed)))
                .as("a topic without signatures")
                .isNull();
    }

    @Test
    void eachChangedBit_isNoticed() throws IOException {
        Map<String, String> settings = settings("k1", false);
        RecordSignatures signatures = RecordSignatures.of(settings);
        Headers signed = signed(settings, NAMES.policies(), KEY, VALUE);
        for (int bit = 0; bit < 8 * KEY.length; bit++) {
            assertThat(signatures.refusal(record(NAMES.policies(), flipped(KEY, bit), VALUE, signed)))
                    .isNotNull();
        }
        for (int bit = 0; bit < 8 * VALUE.length; bit++) {
            assertThat(signatures.refusal(record(NAMES.policies(), KEY, flipped(VALUE, bit), signed)))
                    .isNotNull();
        }
        byte[] signature = signed.lastHeader(RecordSignatures.HEADER).value();
        for (int bit = 0; bit < 8 * signature.length; bit++) {
            Headers changed = record(NAMES.policies(), KEY, VALUE, null).headers();
            changed.add(RecordSignatures.HEADER, flipped(signature, bit));
            assertThat(signatures.refusal(record(NAMES.policies(), KEY, VALUE, changed)))
                    .isNotNull();
        }
    }

    @Test
    void partsThatAreDividedOtherwise_haveAnotherSignature() throws IOException {
        Map<String, String> settings = settings("k1", false);
        RecordSignatures signatures = RecordSignatures.of(settings);
        Headers signed = signed(settings, NAMES.operator(), bytes("ab"), bytes("c"));
        assertThat(signatures.refusal(record(NAMES.operator(), bytes("a"), bytes("bc"), signed)))
                .isNotNull();
        Headers deleted = signed(settings, NAMES.operator(), KEY, null);
        assertThat(signatures.refusal(record(NAMES.operator(), KEY, null, deleted)))
                .isNull();
        assertThat(signatures.refusal(record(NAMES.operator(), KEY, new byte[0], deleted)))
                .isNotNull();
    }

    @Test
    void whileKeysAreRotated_bothAreAccepted_andOthersAreNot() throws IOException {
        Headers old = signed(settings("k1", false), NAMES.operator(), KEY, VALUE);
        Headers foreign = signed(settings("k3", false), NAMES.operator(), KEY, VALUE);
        Files.writeString(folder.resolve("keys"), line("k2") + line("k1"));
        RecordSignatures both = RecordSignatures.of(RecordSignatures.settings(folder.resolve("keys"), NAMES, false));
        assertThat(both.refusal(record(NAMES.operator(), KEY, VALUE, old))).isNull();
        assertThat(both.refusal(record(NAMES.operator(), KEY, VALUE, foreign))).contains("[k2, k1]");
    }

    @Test
    void unsignedRecords_areRefused_unlessTheyAreAccepted() throws IOException {
        ConsumerRecord<byte[], byte[]> unsigned = record(NAMES.operator(), KEY, VALUE, null);
        assertThat(RecordSignatures.of(settings("k1", false)).refusal(unsigned)).isEqualTo("is not signed");
        RecordSignatures accepting = RecordSignatures.of(settings("k1", true));
        assertThat(accepting.refusal(unsigned)).isNull();
        Headers foreign = signed(settings("k3", false), NAMES.operator(), KEY, VALUE);
        assertThat(accepting.refusal(record(NAMES.operator(), KEY, VALUE, foreign)))
                .as("a wrong signature is never accepted")
                .isNotNull();
    }

    @Test
    void withoutAKey_nothingIsSigned() {
        assertThat(RecordSignatures.of(Map.of())).isNull();
        assertThat(RecordSignatures.producing(Map.of("a", "b"))).isEqualTo(Map.of("a", "b"));
    }

    @Test
    void otherInterceptors_stayBeforeTheSigning() throws IOException {
        Map<String, Object> client = new HashMap<>(settings("k1", false));
        client.put("interceptor.classes", "a.B, c.D");
        assertThat(RecordSignatures.producing(client))
                .containsEntry("interceptor.classes", List.of("a.B", "c.D", SigningInterceptor.class.getName()));
        assertThat(RecordSignatures.without(client)).containsOnlyKeys("interceptor.classes");
    }

    @Test
    void aMissingFile_isNamed() {
        assertThatThrownBy(() -> RecordSignatures.of(RecordSignatures.settings(folder.resolve("none"), NAMES, false)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(RecordSignatures.KEY_FILE + ": " + folder.resolve("none") + ": no such file");
    }

    private Map<String, String> settings(String id, boolean accept) throws IOException {
        Path file = Files.writeString(folder.resolve(id), line(id));
        return RecordSignatures.settings(file, NAMES, accept);
    }

    private static String line(String id) {
        return id + ": " + Base64.getEncoder().encodeToString((id + "-".repeat(32)).getBytes(StandardCharsets.UTF_8))
                + "\n";
    }

    private static Headers signed(Map<String, String> settings, String topic, byte[] key, byte[] value) {
        try (SigningInterceptor interceptor = new SigningInterceptor()) {
            interceptor.configure(settings);
            return interceptor.onSend(new ProducerRecord<>(topic, key, value)).headers();
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(String topic, byte[] key, byte[] value, Headers headers) {
        return new ConsumerRecord<>(
                topic,
                0,
                0,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key,
                value,
                headers == null ? new ProducerRecord<>(topic, key, value).headers() : headers,
                Optional.empty());
    }

    private static byte[] flipped(byte[] bytes, int bit) {
        byte[] changed = bytes.clone();
        changed[bit / 8] ^= (byte) (1 << bit % 8);
        return changed;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

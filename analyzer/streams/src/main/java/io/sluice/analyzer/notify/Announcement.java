package io.sluice.analyzer.notify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.LockEvent;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An event to deliver.
 *
 * @param event {@code open}, {@code release} or {@code guard}
 * @param at when the broker appended its record, epoch milliseconds
 */
record Announcement(String event, GateLock lock, long at) {
    static Announcement of(GateLock lock, long at) {
        return new Announcement(LockEvent.of(lock).spelling(), lock, at);
    }

    /**
     * Returns the id, the same for every delivery of a record by any instance: 32 hexadecimal digits. A release ends its lock for good, but the
     * guard may hold one back and let it be enforced several times, so the ids of these also contain the record's place among those of its task.
     */
    String id() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(CompositeKey.bytes(GateKeys.of(lock)));
            Version version = lock.version();
            String transition = lock.mode() == Mode.OPEN ? "" : " " + version.epoch() + " " + version.seq();
            digest.update((" " + lock.since() + " " + event + transition).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    byte[] json() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("id", id());
            json.writeStringField("event", event);
            json.writeNumberField("at", at);
            json.writeStringField("policy", lock.policy());
            json.writeArrayFieldStart("subject");
            for (String value : lock.subject()) {
                json.writeString(value);
            }
            json.writeEndArray();
            json.writeStringField("mode", lock.mode().spelling());
            json.writeNumberField("since", lock.since());
            json.writeNumberField("until", lock.until());
            json.writeNumberField("level", lock.level());
            json.writeBooleanField("shadow", lock.shadow());
            if (lock.evidence() != null) {
                evidence(json, lock.evidence());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PrintableText.json(bytes.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    private static void evidence(JsonGenerator json, Evidence evidence) throws IOException {
        json.writeObjectFieldStart("evidence");
        json.writeStringField("detector", evidence.detector());
        json.writeNumberField("observed", evidence.observed());
        json.writeNumberField("threshold", evidence.threshold());
        json.writeStringField("measure", evidence.measure());
        json.writeNumberField("windowMillis", evidence.windowMillis());
        json.writeNumberField("crossed", evidence.crossed());
        json.writeNumberField("decided", evidence.decided());
        json.writeEndObject();
    }
}

package io.sluice.demo.story;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.sluice.contract.lock.Evidence;
import io.sluice.demo.stage.SeenLock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** An outcome as JSON, for programs. Times are epoch milliseconds. */
public final class Report {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Report() {}

    /** The report as UTF-8, with a line break at its end. */
    public static byte[] of(Outcome outcome) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator to = FACTORY.createGenerator(bytes)) {
            to.setPrettyPrinter(new DefaultPrettyPrinter());
            write(outcome, to);
            to.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(Outcome outcome, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("noisyCaller", outcome.noisyCaller());
        to.writeNumberField("requests", outcome.requests());
        to.writeNumberField("noisyRejected", outcome.noisy().rejected());
        to.writeNumberField("neighboursRejected", outcome.neighbours().rejected());
        to.writeObjectFieldStart("reactionMillis");
        if (!outcome.reactions().isEmpty()) {
            to.writeNumberField("p50", outcome.median());
            to.writeNumberField("max", outcome.slowest());
        }
        to.writeEndObject();
        to.writeNumberField("begin", outcome.begin());
        to.writeNumberField("noise", outcome.noise());
        if (outcome.quietAgain() > 0) {
            to.writeNumberField("backedOff", outcome.quietAgain());
        }
        delays(outcome.delays(), to);
        to.writeArrayFieldStart("locks");
        for (SeenLock lock : outcome.locks()) {
            lock(lock, to);
        }
        to.writeEndArray();
        to.writeArrayFieldStart("gateways");
        for (String agent : outcome.agents()) {
            gateway(agent, outcome, to);
        }
        to.writeEndArray();
        to.writeArrayFieldStart("story");
        for (String line : Story.of(outcome)) {
            to.writeString(line);
        }
        to.writeEndArray();
        to.writeEndObject();
    }

    private static void delays(Delays delays, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart("neighboursLatency");
        to.writeBooleanField("shown", delays.shown());
        latency("before", delays.before(), to);
        latency("crowded", delays.crowded(), to);
        latency("after", delays.after(), to);
        to.writeEndObject();
    }

    private static void latency(String name, Latency latency, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart(name);
        to.writeNumberField("requests", latency.requests());
        if (latency.requests() > 0) {
            to.writeNumberField("p90Millis", latency.p90());
        }
        to.writeEndObject();
    }

    private static void lock(SeenLock lock, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("policy", lock.opened().policy());
        to.writeArrayFieldStart("subject");
        for (String value : lock.opened().subject()) {
            to.writeString(value);
        }
        to.writeEndArray();
        to.writeStringField("mode", lock.opened().mode().spelling());
        to.writeNumberField("at", lock.crossed());
        to.writeNumberField("since", lock.opened().since());
        to.writeNumberField("until", lock.until());
        if (lock.released() > 0) {
            to.writeNumberField("released", lock.released());
        }
        Evidence evidence = lock.opened().evidence();
        if (evidence != null) {
            to.writeStringField("detector", evidence.detector());
            to.writeNumberField("observed", evidence.observed());
            to.writeNumberField("threshold", evidence.threshold());
        }
        to.writeEndObject();
    }

    private static void gateway(String agent, Outcome outcome, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("agent", agent);
        for (Reaction reaction : outcome.reactions()) {
            if (reaction.agent().equals(agent)) {
                to.writeNumberField("lockedAt", reaction.lockedAt());
            }
        }
        to.writeEndObject();
    }
}

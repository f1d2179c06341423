package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.analyzer.Count;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What is answered to which path. Records look as they do on their topics, with the broker's time of them beside; see
 * {@code openapi.json}. Thread-safe.
 */
final class Answers {
    /** Three heartbeats of the default length: one may get lost. */
    private static final long ALIVE_MILLIS = 15_000;

    private static final JsonFactory JSON = new JsonFactory();

    private final Told told;
    private final Api.Instance instance;
    private final LongSupplier wallClock;

    /** A status and a JSON document. */
    record Answer(int status, String json) {}

    private interface Writer {
        void write(JsonGenerator to) throws IOException;
    }

    Answers(Told told, Api.Instance instance, LongSupplier wallClock) {
        this.told = told;
        this.instance = instance;
        this.wallClock = wallClock;
    }

    /** @param rawPath as it was sent, behind {@code /api/v1} */
    Answer to(String rawPath) {
        List<String> path = parts(rawPath);
        if (!told.read()) {
            return problem(503, "the topics are still being read");
        }
        // the first part is what stands before the first slash: nothing
        String what = path.size() < 2 ? "" : path.get(1);
        if (what.equals("locks") && path.size() > 2) {
            return lock(path.get(2), path.subList(3, path.size()));
        }
        if (path.size() > 2) {
            return missing();
        }
        return switch (what) {
            case "status" -> ok(this::status);
            case "policies" -> policies();
            case "locks" -> ok(this::locks);
            case "agents" -> ok(this::agents);
            default -> missing();
        };
    }

    /** The parts of a path, decoded; the first stands before the first slash. */
    static List<String> parts(String rawPath) {
        List<String> path = new ArrayList<>();
        for (String part : rawPath.split("/", -1)) {
            // a plus is a plus in a path
            path.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        return path;
    }

    private static Answer missing() {
        return problem(404, "there are status, policies, locks, locks/POLICY/VALUE... and agents");
    }

    private void status(JsonGenerator to) throws IOException {
        PolicySet policies = told.policies();
        to.writeStringField("instance", instance.name());
        to.writeBooleanField("running", instance.running().getAsBoolean());
        to.writeNumberField("brokerTime", now());
        to.writeStringField("revision", policies == null ? "" : policies.revision());
        to.writeBooleanField("enforce", policies != null && policies.enforce());
        to.writeNumberField("locks", told.locks(now()).size());
        to.writeNumberField(
                "agentsAlive", told.agents().stream().filter(this::alive).count());
        to.writeObjectFieldStart("counts");
        Map<String, Long> counts = new TreeMap<>();
        for (Map.Entry<Count, Long> count : instance.counts().get().entrySet()) {
            counts.put(camel(count.getKey().name()), count.getValue());
        }
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            to.writeNumberField(count.getKey(), count.getValue());
        }
        to.writeEndObject();
    }

    private static String camel(String constant) {
        StringBuilder camel = new StringBuilder();
        for (int i = 0; i < constant.length(); i++) {
            char c = constant.charAt(i);
            if (c != '_') {
                camel.append(i > 0 && constant.charAt(i - 1) == '_' ? c : Character.toLowerCase(c));
            }
        }
        return camel.toString();
    }

    private Answer policies() {
        PolicySet policies = told.policies();
        return policies == null
                ? problem(404, "no policies are in force")
                : new Answer(200, new String(PolicySetJson.writeActive(policies), StandardCharsets.UTF_8));
    }

    private void locks(JsonGenerator to) throws IOException {
        long now = now();
        to.writeNumberField("brokerTime", now);
        to.writeArrayFieldStart("locks");
        for (Told.Said<GateLock> said : told.locks(now)) {
            record(GateLockJson.write(said.record()), said.append(), to);
        }
        to.writeEndArray();
        to.writeArrayFieldStart("operator");
        for (Told.Said<OperatorRecord> said : told.operators(now)) {
            operator(said, to);
        }
        to.writeEndArray();
    }

    private Answer lock(String policy, List<String> subject) {
        Optional<Told.Said<GateLock>> found = told.locks(now()).stream()
                .filter(said -> said.record().policy().equals(policy)
                        && said.record().subject().equals(subject))
                .findFirst();
        return found.isEmpty()
                ? problem(404, "the analyzer holds no such lock")
                : document(
                        200,
                        to -> record(
                                GateLockJson.write(found.get().record()),
                                found.get().append(),
                                to));
    }

    private void agents(JsonGenerator to) throws IOException {
        to.writeNumberField("brokerTime", now());
        to.writeArrayFieldStart("agents");
        for (Told.Said<AgentHeartbeat> said : told.agents()) {
            to.writeStartObject();
            to.writeBooleanField("alive", alive(said));
            to.writeNumberField("heard", said.append());
            fields(AgentHeartbeatJson.write(said.record()), to);
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    private boolean alive(Told.Said<AgentHeartbeat> said) {
        return now() - said.append() <= ALIVE_MILLIS;
    }

    private long now() {
        return Math.max(told.newest(), wallClock.getAsLong());
    }

    private static void operator(Told.Said<OperatorRecord> said, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeNumberField("appended", said.append());
        to.writeArrayFieldStart("key");
        for (String part : OperatorJson.key(said.record())) {
            to.writeString(part);
        }
        to.writeEndArray();
        fields(OperatorJson.write(said.record()), to);
        to.writeEndObject();
    }

    /** What an operator said just now, as it stands on its topic. */
    static Answer said(int status, OperatorRecord record, long append) {
        return document(status, to -> operator(new Told.Said<>(record, append), to));
    }

    private static void record(byte[] json, long append, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeNumberField("appended", append);
        fields(json, to);
        to.writeEndObject();
    }

    /** The fields of an object, without its braces. */
    private static void fields(byte[] json, JsonGenerator to) throws IOException {
        try (JsonParser read = JSON.createParser(json)) {
            read.nextToken();
            while (read.nextToken() == JsonToken.FIELD_NAME) {
                to.copyCurrentStructure(read);
            }
        }
    }

    private static Answer ok(Writer fields) {
        return document(200, to -> {
            to.writeStartObject();
            fields.write(to);
            to.writeEndObject();
        });
    }

    static Answer problem(int status, String message) {
        return document(status, to -> {
            to.writeStartObject();
            to.writeStringField("error", message);
            to.writeEndObject();
        });
    }

    private static Answer document(int status, Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator to = JSON.createGenerator(bytes)) {
            writer.write(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Answer(status, bytes.toString(StandardCharsets.UTF_8));
    }
}

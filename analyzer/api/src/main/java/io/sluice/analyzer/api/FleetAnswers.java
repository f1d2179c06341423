package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Answers questions from the {@link FleetState}. Records have the format of their topic, with their append time. Thread-safe. */
final class FleetAnswers {

    private final FleetState fleet;
    private final Api.Instance instance;
    private final LongSupplier wallClock;

    FleetAnswers(FleetState fleet, Api.Instance instance, LongSupplier wallClock) {
        this.fleet = fleet;
        this.instance = instance;
        this.wallClock = wallClock;
    }

    void status(JsonGenerator to) throws IOException {
        PolicySet policies = fleet.policies();
        to.writeStringField("instance", instance.name());
        to.writeBooleanField("running", instance.running().getAsBoolean());
        to.writeNumberField("brokerTime", now());
        to.writeStringField("revision", policies == null ? "" : policies.revision());
        List<KillSwitches.Off> offs = fleet.switchedOff(now());
        boolean everywhere = offs.stream().anyMatch(off -> off.agent() == null);
        to.writeBooleanField("enforce", policies != null && policies.enforce() && !everywhere);
        KillSwitchJson.write(offs, to);
        to.writeNumberField("locks", fleet.locks(now()).size());
        to.writeNumberField(
                "agentsAlive",
                fleet.agents().all().stream()
                        .filter(said -> Agents.alive(said, now()))
                        .count());
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

    Answer policies() {
        PolicySet policies = fleet.policies();
        return policies == null
                ? Answer.problem(404, "no policies are in force")
                : new Answer(200, new String(PolicySetJson.writeActive(policies), StandardCharsets.UTF_8));
    }

    void locks(JsonGenerator to) throws IOException {
        long now = now();
        to.writeNumberField("brokerTime", now);
        new LockSummaries(fleet, now).whole(key -> true, to);
    }

    Answer lock(String policy, List<String> subject) {
        Optional<Appended<GateLock>> found = fleet.locks(now()).stream()
                .filter(said -> said.record().mode() != Mode.UNKNOWN
                        && said.record().policy().equals(policy)
                        && said.record().subject().equals(subject))
                .findFirst();
        return found.isEmpty()
                ? Answer.problem(404, "the analyzer holds no such lock")
                : new Answer(
                        200,
                        Answer.text(to -> Answer.record(
                                GateLockJson.write(found.get().record()),
                                found.get().append(),
                                to)));
    }

    void agents(JsonGenerator to) throws IOException {
        to.writeNumberField("brokerTime", now());
        to.writeArrayFieldStart("agents");
        for (Appended<AgentHeartbeat> said : fleet.agents().all()) {
            to.writeStartObject();
            to.writeBooleanField("alive", Agents.alive(said, now()));
            to.writeNumberField("heard", said.append());
            Answer.fields(AgentHeartbeatJson.write(said.record()), to);
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    /** Returns broker time; the local clock's where no record has been read. */
    long now() {
        return Math.max(fleet.newest(), wallClock.getAsLong());
    }

    static void operator(Appended<OperatorRecord> said, JsonGenerator to) throws IOException {
        to.writeStartObject();
        operatorFields(said, to);
        to.writeEndObject();
    }

    private static void operatorFields(Appended<OperatorRecord> said, JsonGenerator to) throws IOException {
        to.writeNumberField("appended", said.append());
        Answer.texts("key", OperatorJson.key(said.record()), to);
        Answer.fields(OperatorJson.write(said.record()), to);
    }

    /** Answers with an operator's record that was just written, as it stands on the topic. */
    static Answer said(int status, OperatorRecord record, OperatorWriter.Written written) {
        return new Answer(status, Answer.text(to -> {
            to.writeStartObject();
            operatorFields(new Appended<>(record, written.append()), to);
            if (!written.unrecorded().isEmpty()) {
                to.writeStringField("unrecorded", written.unrecorded());
            }
            to.writeEndObject();
        }));
    }
}

package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers questions from the {@link FleetState}. Records have the format of their topic, with their append time. Thread-safe. */
final class FleetAnswers {
    /** Most agents of a page. */
    private static final int MOST_AGENTS = 1_000;

    private static final int MOST_LOCKS = 100_000;

    private final FleetState fleet;
    private final TopicSilence silence;
    private final ServedAnalyzer instance;
    private final boolean writes;
    private final LongSupplier wallClock;

    FleetAnswers(
            FleetState fleet, TopicSilence silence, ServedAnalyzer instance, boolean writes, LongSupplier wallClock) {
        this.fleet = fleet;
        this.silence = silence;
        this.writes = writes;
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
        to.writeNumberField(
                "agentsStale",
                fleet.agents().all().stream()
                        .filter(agent ->
                                !Agents.alive(agent, now()) || agent.record().freshness() != Freshness.FRESH)
                        .count());
        to.writeBooleanField("writes", writes);
        to.writeNumberField("silentMillis", silence.millis());
        to.writeStringField("catchingUp", instance.catchingUp().get());
        to.writeStringField("note", instance.note().get());
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

    /** Answers with the locks and operators' records, newest first; {@code limit} bounds each list, by default neither. */
    Answer locks(Question question) throws Question.Wrong {
        question.allow(List.of("limit"));
        int limit = question.number("limit", Integer.MAX_VALUE, 1, MOST_LOCKS);
        long now = now();
        LockSummaries locks = new LockSummaries(fleet, now);
        return Answer.ok(to -> {
            to.writeNumberField("brokerTime", now);
            locks.newest(limit, to);
        });
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

    /** Answers with a page of agents, by service and name: those behind {@code after}, which is the {@code next} of the page before. */
    Answer agents(Question question) throws Question.Wrong {
        question.allow(List.of("limit", "after"));
        int limit = question.number("limit", MOST_AGENTS, 1, MOST_AGENTS);
        List<String> after = after(question.last("after"));
        List<Appended<AgentHeartbeat>> page = fleet.agents().all().stream()
                .filter(agent -> CompositeKey.ORDER.compare(place(agent), after) > 0)
                .limit(limit + 1L)
                .toList();
        return Answer.ok(to -> {
            to.writeNumberField("brokerTime", now());
            to.writeArrayFieldStart("agents");
            for (Appended<AgentHeartbeat> agent : page.subList(0, Math.min(limit, page.size()))) {
                to.writeStartObject();
                to.writeBooleanField("alive", Agents.alive(agent, now()));
                to.writeNumberField("heard", agent.append());
                int processes = fleet.agents().processes(agent, now());
                if (processes > 1) {
                    to.writeNumberField("processes", processes);
                }
                Answer.fields(AgentHeartbeatJson.write(agent.record()), to);
                to.writeEndObject();
            }
            to.writeEndArray();
            if (page.size() > limit) {
                to.writeStringField("next", CompositeKey.text(place(page.get(limit - 1))));
            }
        });
    }

    private static List<String> place(Appended<AgentHeartbeat> agent) {
        return List.of(agent.record().service(), agent.record().agent());
    }

    private static List<String> after(@Nullable String next) throws Question.Wrong {
        try {
            return next == null ? List.of() : CompositeKey.read(next.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedRecord e) {
            throw new Question.Wrong(400, "after: found " + next + ", allowed is the next of a page");
        }
    }

    /** Returns broker time. */
    long now() {
        return fleet.now(wallClock.getAsLong());
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

    /**
     * Answers with the operator's record that was just written to the topic.
     *
     * @param more writes further fields
     */
    static Answer said(int status, OperatorRecord record, OperatorWriter.Written written, Answer.Writer more) {
        return new Answer(status, Answer.text(to -> {
            to.writeStartObject();
            operatorFields(new Appended<>(record, written.append()), to);
            if (!written.unrecorded().isEmpty()) {
                to.writeStringField("unrecorded", written.unrecorded());
            }
            more.write(to);
            to.writeEndObject();
        }));
    }
}

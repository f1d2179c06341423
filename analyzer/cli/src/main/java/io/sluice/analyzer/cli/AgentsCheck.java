package io.sluice.analyzer.cli;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.agent.Freshness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges the heartbeats of agents. */
final class AgentsCheck {
    private static final int MOST_NAMED = 5;

    /** Reasons that findings of their own name: freshness, the kill switch, stores. */
    private static final Set<String> OTHER_FINDINGS = Stream.of(
                    AgentReason.TOPICS_UNREAD,
                    AgentReason.TIME_UNKNOWN,
                    AgentReason.ANALYZER_SILENT,
                    AgentReason.OFF_BY_OPERATOR,
                    AgentReason.STORE_UNANSWERED)
            .map(AgentReason::code)
            .collect(Collectors.toUnmodifiableSet());

    private final Agents agents;
    private final long now;
    private final List<Symptom> symptoms = new ArrayList<>();

    /** @param now broker time, epoch milliseconds */
    AgentsCheck(Agents agents, long now) {
        this.agents = agents;
        this.now = now;
    }

    /** Returns all symptoms. */
    List<Symptom> symptoms() {
        List<Appended<AgentHeartbeat>> alive =
                agents.all().stream().filter(heard -> Agents.alive(heard, now)).toList();
        if (alive.isEmpty()) {
            add(Symptom.fail(
                    "agents",
                    "none is alive: locks are decided and not enforced",
                    "put an agent into a service (docs/integration.md), and see that it reaches Kafka"));
        } else {
            add(Symptom.ok("agents", Spans.grouped(alive.size()) + " alive"));
        }
        if (agents.leftOut() > 0) {
            add(Symptom.warn(
                    "agents",
                    "heartbeats of more than " + Spans.grouped(Agents.MOST) + " agents: the others are ignored",
                    "a service may forge them; look at what writes to the agents topic"));
        }
        for (Appended<AgentHeartbeat> heard : agents.all()) {
            agent(heard);
        }
        reasons(alive);
        return symptoms;
    }

    /** One finding per reason, whatever the number of agents that have it. */
    private void reasons(List<Appended<AgentHeartbeat>> alive) {
        Map<String, List<String>> byCode = new TreeMap<>();
        for (Appended<AgentHeartbeat> heard : alive) {
            heard.record().reasons().stream()
                    .filter(code -> !OTHER_FINDINGS.contains(code))
                    .forEach(code -> byCode.computeIfAbsent(code, it -> new ArrayList<>())
                            .add(heard.record().agent() + " of "
                                    + heard.record().service()));
        }
        byCode.forEach((code, named) -> {
            String found = (named.size() == 1 ? "agent " : "agents ")
                    + named.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                    + (named.size() > MOST_NAMED
                            ? " and " + Spans.grouped(named.size() - (long) MOST_NAMED) + " more"
                            : "")
                    + ": " + code + ", ";
            Optional<AgentReason> reason = AgentReason.of(code);
            add(Symptom.warn(
                    "agents",
                    found + reason.map(AgentReason::meaning).orElse("a reason of a newer version"),
                    reason.map(ReasonRemedies::of)
                            .orElse("its own status names it in words; update these commands to the agents' version")));
        });
    }

    private void agent(Appended<AgentHeartbeat> heard) {
        String who = "agent " + heard.record().agent() + " of " + heard.record().service();
        Freshness freshness = heard.record().freshness();
        if (!Agents.alive(heard, now)) {
            add(
                    Symptom.warn(
                            "agents",
                            who + " has been silent for " + Spans.text(now - heard.append()),
                            "if it should still run: see its service, and whether it reaches Kafka; it is forgotten after an hour"));
        } else if (freshness != Freshness.FRESH) {
            add(
                    Symptom.fail(
                            "agents",
                            who + " is " + freshness.name().toLowerCase(Locale.ROOT)
                                    + ": it receives no decisions, and applies onDegraded",
                            "if analyzers beat, it lacks the right or the way to read gate-locks: './sluice topics verify --acls'"));
        }
        if (Agents.alive(heard, now) && !heard.record().unanswered().isEmpty()) {
            add(Symptom.warn(
                    "agents",
                    who + " has no answers of "
                            + String.join(", ", heard.record().unanswered())
                            + ": it applies its share of the limits that name it as their strategy",
                    ReasonRemedies.of(AgentReason.STORE_UNANSWERED)));
        }
        int processes = agents.processes(heard, now);
        if (processes > 1) {
            add(Symptom.warn(
                    "agents",
                    who + ": " + AgentsCommand.processes(processes)
                            + " have this id: only the counts and the state of the newest heartbeat are shown",
                    "leave agent.id unset, or give each process its own"));
        }
        if (heard.record().drops() > 0) {
            add(Symptom.warn(
                    "agents",
                    who + " could not log " + Plural.of(heard.record().drops(), "request") + " since it started",
                    "a larger agent.log-queue, or a Kafka that is nearer: what is not logged is not counted"));
        }
    }

    private void add(Symptom symptom) {
        symptoms.add(symptom);
    }
}

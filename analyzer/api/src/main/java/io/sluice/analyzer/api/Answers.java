package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.fleet.FleetState;
import java.util.List;
import java.util.function.LongSupplier;

/** Responses by path; see {@code openapi.json}. Thread-safe. */
final class Answers {
    private final FleetState fleet;
    private final FleetAnswers topics;
    private final CallerAnswers callers;
    private final LocalAnswers local;
    private final HistoryAnswers history;
    private final DeadLetterAnswers letters;
    private final PolicyAnswers policies;
    private final ReplayAnswers replays;
    private final NeighbourAnswers neighbours;
    private final ClaimedAnswers claimed;

    Answers(
            FleetState fleet,
            TopicSilence silence,
            ServedAnalyzer instance,
            boolean writes,
            Peers.Access access,
            DecisionLog decisions,
            DeadLetterAnswers letters,
            ReplayAnswers replays,
            NewestEvents events,
            LongSupplier wallClock) {
        this.fleet = fleet;
        this.letters = letters;
        this.replays = replays;
        neighbours = new NeighbourAnswers(events);
        claimed = new ClaimedAnswers(events);
        topics = new FleetAnswers(fleet, silence, instance, writes, wallClock);
        local = new LocalAnswers(fleet, instance, topics::now);
        history = new HistoryAnswers(decisions, topics::now);
        policies = new PolicyAnswers(fleet, instance.tasks(), access, topics::now);
        callers = new CallerAnswers(fleet, instance, access, topics::now);
    }

    Answer to(Question question) {
        if (!fleet.read()) {
            return Answer.problem(503, ApiClient.STILL_READING);
        }
        try {
            return answer(question);
        } catch (Question.Wrong e) {
            return Answer.problem(e.status, String.valueOf(e.getMessage()));
        }
    }

    private Answer answer(Question question) throws Question.Wrong {
        List<String> path = question.path();
        List<String> rest = path.subList(1, path.size());
        return switch (path.get(0)) {
            case "callers" ->
                rest.size() == 2 && rest.get(1).equals("neighbours")
                        ? neighbours.to(rest.get(0))
                        : callers.to(question, rest);
            case "agents" -> rest.isEmpty() ? topics.agents(question) : missing();
            case "dead-letters" -> rest.isEmpty() ? letters.to(question) : missing();
            case "history" -> rest.isEmpty() ? history.to(question) : missing();
            case "local" -> local.to(question, rest);
            case "locks" ->
                rest.isEmpty() ? topics.locks(question) : topics.lock(rest.get(0), rest.subList(1, rest.size()));
            case "policies" -> policies.to(question, rest);
            default -> rest.isEmpty() ? single(path.get(0)) : missing();
        };
    }

    private Answer single(String what) throws Question.Wrong {
        return switch (what) {
            case "status" -> Answer.ok(topics::status);
            case "replay" -> Answer.ok(replays::bounds);
            case "claimed" -> claimed.answer();
            default -> missing();
        };
    }

    static Answer missing() {
        return Answer.problem(
                404,
                "there are status, policies, policies/changes, policies/rejections, policies/POLICY/nearest, replay, locks, locks/POLICY/VALUE..., history, dead-letters, agents, callers/top, callers/CALLER, callers/CALLER/neighbours, claimed and events");
    }
}

package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.top.TopSubject;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Answers other instances from this instance's own tasks. It never asks further instances, so questions never
 * go in a circle. Thread-safe.
 */
final class LocalAnswers {
    static final int MOST = 256;

    private final FleetState fleet;
    private final ServedAnalyzer instance;
    private final LongSupplier now;

    LocalAnswers(FleetState fleet, ServedAnalyzer instance, LongSupplier now) {
        this.fleet = fleet;
        this.instance = instance;
        this.now = now;
    }

    Answer to(Question question, List<String> path) throws Question.Wrong {
        if (path.equals(List.of("top"))) {
            question.allow(List.of("limit"));
            return top(question.number("limit", MOST, 1, MOST));
        }
        if (path.equals(List.of("window"))) {
            question.allow(List.of("policy", "subject"));
            return window(question);
        }
        if (path.equals(List.of("nearest"))) {
            question.allow(List.of("policy", "limit"));
            return nearest(
                    PolicyLookup.policy(fleet.policies(), question.last("policy")),
                    question.number("limit", MOST, 1, MOST));
        }
        return Answer.problem(404, "there are local/top, local/window and local/nearest");
    }

    private Answer top(int limit) {
        Top top = heaviest(instance.tasks().top(), limit);
        return Answer.ok(to -> {
            to.writeStringField("instance", instance.name());
            partitions(instance.tasks().here(), to);
            to.writeStringField("catchingUp", instance.catchingUp().get());
            TopJson.write(instance.tasks().claimed(), to);
            TopJson.write(top, to);
        });
    }

    private static void partitions(Set<Integer> here, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart("partitions");
        for (int partition : here) {
            to.writeNumber(partition);
        }
        to.writeEndArray();
    }

    /** Returns the partitions of the tasks that another instance answered from. */
    static List<Integer> partitions(Node.Mapping answer) {
        return Tree.list(answer, "partitions").stream()
                .map(partition -> (int) Tree.whole(partition))
                .toList();
    }

    /** So many of each policy. */
    private static Top heaviest(Top top, int limit) {
        Map<String, Integer> taken = new HashMap<>();
        List<TopSubject> some = top.subjects().stream()
                .filter(subject -> taken.merge(subject.revision(), 1, Integer::sum) <= limit)
                .toList();
        return new Top(top.totals(), some);
    }

    private Answer nearest(Policy policy, int limit) {
        NearestSubjects nearest = new NearestSubjects(limit);
        Set<Integer> here = instance.tasks().here();
        nearest.add(instance.tasks(), policy, now.getAsLong());
        return Answer.ok(to -> {
            partitions(here, to);
            nearest.write(to);
        });
    }

    private Answer window(Question question) throws Question.Wrong {
        Policy policy = PolicyLookup.policy(fleet.policies(), question.last("policy"));
        Optional<StoredSubject> stored = instance.tasks().subject(policy, question.all("subject"), now.getAsLong());
        return stored.isEmpty()
                ? Answer.problem(503, "the task is not here, or not ready")
                : Answer.ok(to -> StoredSubjectJson.write(stored.get(), to));
    }
}

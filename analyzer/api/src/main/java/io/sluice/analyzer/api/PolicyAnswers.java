package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.fleet.PolicyChanges;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Answers questions about the policy set in force, its last change, and how near subjects are to its thresholds. Thread-safe. */
final class PolicyAnswers {
    private static final int NEAREST = 20;

    private final FleetState fleet;
    private final TaskQueries tasks;
    private final Peers.Access access;
    private final LongSupplier now;

    PolicyAnswers(FleetState fleet, TaskQueries tasks, Peers.Access access, LongSupplier now) {
        this.fleet = fleet;
        this.tasks = tasks;
        this.access = access;
        this.now = now;
    }

    /** @param path behind {@code /policies} */
    Answer to(Question question, List<String> path) throws Question.Wrong {
        if (path.isEmpty()) {
            return active();
        }
        if (path.equals(List.of("changes"))) {
            question.allow(List.of());
            return changes();
        }
        if (path.equals(List.of("rejections"))) {
            question.allow(List.of());
            return Answer.ok(new PolicyRejections(fleet.agents().all())::write);
        }
        if (path.size() == 2 && path.get(1).equals("nearest")) {
            question.allow(List.of("limit"));
            return nearest(path.get(0), question.number("limit", NEAREST, 1, LocalAnswers.MOST));
        }
        return Answers.missing();
    }

    private Answer active() {
        PolicySet policies = fleet.policies();
        return policies == null
                ? Answer.problem(404, "no policies are in force")
                : new Answer(200, new String(PolicySetJson.writeActive(policies), StandardCharsets.UTF_8));
    }

    private Answer nearest(String name, int limit) throws Question.Wrong {
        Policy policy = PolicyLookup.policy(fleet.policies(), name);
        NearestSubjects nearest = new NearestSubjects(limit);
        Peers peers = new Peers(access);
        String path = "nearest?policy=" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "&limit=" + limit;
        Set<Integer> answered = new HashSet<>(tasks.here());
        Set<String> earlier = new TreeSet<>();
        tasks.others()
                .forEach(other -> peers.ask(other, path, answer -> {
                    nearest.add(answer);
                    answered.addAll(LocalAnswers.partitions(answer));
                    if (!Tree.has(answer, "partitions")) {
                        earlier.add(other);
                    }
                }));
        nearest.add(tasks, policy, now.getAsLong());
        peers.await();
        if (earlier.isEmpty()) {
            peers.missTasks(tasks.partitions(), answered);
        } else {
            earlier.forEach(other -> peers.miss(
                    other,
                    "it answered, but an earlier version does not tell of which partitions: some may be missing"));
        }
        return Answer.ok(to -> {
            to.writeNumberField("brokerTime", now.getAsLong());
            to.writeStringField("policy", name);
            to.writeStringField("measure", policy.measure().name());
            nearest.write(to);
            to.writeArrayFieldStart("missing");
            for (Map.Entry<String, String> one : peers.missing().entrySet()) {
                to.writeStartObject();
                to.writeStringField("what", one.getKey());
                to.writeStringField("why", one.getValue());
                to.writeEndObject();
            }
            to.writeEndArray();
        });
    }

    private Answer changes() {
        Appended<PolicySet> current = fleet.policyRecords().current();
        if (current == null) {
            return Answer.problem(404, "no policies are in force");
        }
        Appended<PolicySet> previous = fleet.policyRecords().previous();
        return Answer.ok(to -> {
            to.writeStringField("revision", current.record().revision());
            to.writeNumberField("since", current.append());
            if (previous != null) {
                to.writeObjectFieldStart("previous");
                to.writeStringField("revision", previous.record().revision());
                to.writeNumberField("since", previous.append());
                to.writeEndObject();
                write(PolicyChanges.between(previous.record(), current.record()), to);
            }
        });
    }

    private static void write(PolicyChanges.Changes changes, JsonGenerator to) throws IOException {
        to.writeBooleanField("reordered", changes.reordered());
        fields("set", changes.set(), to);
        to.writeArrayFieldStart("policies");
        for (PolicyChanges.Change change : changes.policies()) {
            to.writeStartObject();
            to.writeStringField("what", change.what().name().toLowerCase(Locale.ROOT));
            to.writeStringField("policy", change.policy());
            to.writeBooleanField("restarts", change.restarts());
            to.writeBooleanField("locksLast", change.locksLast());
            fields("fields", change.fields(), to);
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    private static void fields(String name, List<PolicyChanges.Field> fields, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart(name);
        for (PolicyChanges.Field field : fields) {
            to.writeStartObject();
            to.writeStringField("name", field.name());
            if (field.before() != null) {
                to.writeStringField("before", field.before());
            }
            if (field.after() != null) {
                to.writeStringField("after", field.after());
            }
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}

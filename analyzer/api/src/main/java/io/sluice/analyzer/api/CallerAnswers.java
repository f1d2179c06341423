package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.top.Top;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers questions about the busiest callers and about one caller over all instances. Thread-safe. */
final class CallerAnswers {
    private static final int TOP = 20;
    /** Of a caller that policies count by more than its name, so many of its subjects. */
    private static final int SUBJECTS = 20;

    private final FleetState fleet;
    private final TaskQueries tasks;
    private final int ipv6Prefix;
    private final Peers.Access access;
    private final LongSupplier now;

    CallerAnswers(FleetState fleet, ServedAnalyzer analyzer, Peers.Access access, LongSupplier now) {
        this.access = access;
        this.fleet = fleet;
        tasks = analyzer.tasks();
        ipv6Prefix = analyzer.ipv6Prefix();
        this.now = now;
    }

    Answer to(Question question, List<String> path) throws Question.Wrong {
        if (path.equals(List.of("top"))) {
            question.allow(List.of("limit", "policy"));
            return top(question);
        }
        if (path.isEmpty()) {
            String caller = question.last("caller");
            question.allow(caller == null ? List.of("policy", "subject") : List.of("caller"));
            return caller == null ? subject(question) : caller(caller);
        }
        question.allow(List.of());
        return path.size() == 1 ? caller(path.get(0)) : Answers.missing();
    }

    private Answer top(Question question) throws Question.Wrong {
        int limit = question.number("limit", TOP, 1, LocalAnswers.MOST);
        List<Policy> policies = question.last("policy") == null
                ? PolicyLookup.counting(fleet.policies())
                : List.of(PolicyLookup.policy(fleet.policies(), question.last("policy")));
        Peers peers = new Peers(access);
        TopCallersQuery survey = TopCallersQuery.of(tasks, peers, limit);
        long at = now.getAsLong();
        LockSummaries locks = new LockSummaries(fleet, at);
        return Answer.ok(to -> {
            to.writeNumberField("brokerTime", at);
            to.writeArrayFieldStart("callers");
            for (TopRow row :
                    TopRow.of(survey.top(), policies).stream().limit(limit).toList()) {
                to.writeStartObject();
                row.write(to);
                locks.brief(
                        key -> row.policies().contains(key.get(0))
                                && key.subList(1, key.size()).equals(row.subject()),
                        to);
                to.writeEndObject();
            }
            to.writeEndArray();
            to.writeArrayFieldStart("totals");
            for (Policy policy : policies) {
                to.writeStartObject();
                to.writeStringField("policy", policy.name());
                to.writeStringField("measure", policy.measure().name());
                double offered = survey.top().totals().getOrDefault(policy.revision(), 0.0);
                to.writeNumberField(
                        "offered", Math.round(offered / policy.measure().scale() * 10) / 10.0);
                to.writeEndObject();
            }
            to.writeEndArray();
            TopJson.write(survey.claimed(), to);
            reasons("behind", survey.behind(), to);
            reasons("missing", peers.missing(), to);
        });
    }

    private Answer subject(Question question) throws Question.Wrong {
        Policy policy = PolicyLookup.policy(fleet.policies(), question.last("policy"));
        List<String> typed = question.all("subject");
        Peers peers = new Peers(access);
        try {
            Target target = Target.in(fleet.policies(), policy.name(), typed);
            String network = TypedSubject.network(policy.per(), typed, ipv6Prefix);
            return windows(String.join(" ", typed), network, Set.of(new WindowKey(policy, target.subject())), peers);
        } catch (Target.Missing e) {
            throw new Question.Wrong(400, String.valueOf(e.getMessage()));
        }
    }

    private Answer caller(String caller) {
        Peers peers = new Peers(access);
        Set<WindowKey> whom = new LinkedHashSet<>();
        List<Policy> wide = new ArrayList<>();
        for (Policy policy : PolicyLookup.counting(fleet.policies())) {
            if (policy.per().size() > 1) {
                wide.add(policy);
            } else if (policy.per().size() == 1
                    && TypedSubject.fits(policy.per().get(0), caller)) {
                whom.add(new WindowKey(policy, TypedSubject.of(policy.per(), List.of(caller))));
            }
        }
        if (wide.stream().anyMatch(policy -> place(policy) >= 0)) {
            whom.addAll(known(caller, wide, peers));
        }
        return windows(caller, TypedSubject.network(caller, ipv6Prefix), whom, peers);
    }

    /** Of policies that count by more than the caller, those subjects of it that are among the heaviest. */
    private List<WindowKey> known(String caller, List<Policy> wide, Peers peers) {
        TopCallersQuery survey = TopCallersQuery.of(tasks, peers, LocalAnswers.MOST);
        return survey.top().subjects().stream()
                .flatMap(subject -> wide.stream()
                        .filter(policy -> policy.revision().equals(subject.revision())
                                && place(policy) >= 0
                                && subject.subject().get(place(policy)).equals(caller))
                        .map(policy -> new WindowKey(policy, subject.subject())))
                .limit(SUBJECTS)
                .toList();
    }

    private static int place(Policy policy) {
        return policy.per().stream().map(Attribute::kind).toList().indexOf(Attribute.Kind.CALLER);
    }

    /** Returns the busiest callers, {@code null} where an instance does not answer: a share of a part of the load would be too high. */
    private @Nullable Top whole() {
        Peers others = new Peers(access);
        Top top = TopCallersQuery.of(tasks, others, LocalAnswers.MOST).top();
        return others.missing().isEmpty() ? top : null;
    }

    private Answer windows(String caller, @Nullable String network, Set<WindowKey> whom, Peers peers) {
        long at = now.getAsLong();
        List<CallerWindow> windows = new Windows(tasks, peers, at).of(whom, whole());
        Set<List<String>> keys = whom.stream().map(WindowKey::key).collect(Collectors.toSet());
        LockSummaries locks = new LockSummaries(fleet, at);
        return Answer.ok(to -> {
            to.writeStringField("caller", caller);
            if (network != null) {
                to.writeStringField("network", network);
            }
            to.writeNumberField("brokerTime", at);
            to.writeArrayFieldStart("windows");
            for (CallerWindow window : windows) {
                window.write(to);
            }
            to.writeEndArray();
            locks.whole(keys::contains, to);
            reasons("missing", peers.missing(), to);
        });
    }

    private static void reasons(String name, Map<String, String> reasons, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart(name);
        for (Map.Entry<String, String> one : reasons.entrySet()) {
            to.writeStartObject();
            to.writeStringField("what", one.getKey());
            to.writeStringField("why", one.getValue());
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}

package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.top.TopSubject;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How much of a policy's threshold its busiest subjects use: a histogram in steps of 10 %, and those nearest to the threshold. A threshold that depends on
 * others or on a baseline is the one of this moment; subjects whose threshold is not known yet are left out. Not thread-safe.
 */
final class NearestSubjects {
    /** 0 % to 10 %, …, 90 % to 100 %, and beyond. */
    private static final int BUCKETS = 11;

    private static final Comparator<Use> NEAREST =
            Comparator.comparingDouble(Use::used).reversed().thenComparing(use -> String.join("\u0000", use.subject));

    private final int most;
    private final int[] buckets = new int[BUCKETS];
    private final List<Use> uses = new ArrayList<>();

    /** @param threshold above 0 */
    private record Use(List<String> subject, double sum, double threshold) {
        double used() {
            return sum / threshold;
        }
    }

    /** @param most subjects that are listed */
    NearestSubjects(int most) {
        this.most = most;
    }

    /** Adds the busiest subjects of the tasks here, as of the pane of {@code time}. */
    void add(TaskQueries tasks, Policy policy, long time) {
        for (TopSubject busy : tasks.top().subjects()) {
            if (busy.revision().equals(policy.revision())) {
                tasks.subject(policy, busy.subject(), time).ifPresent(stored -> add(policy, busy.subject(), stored));
            }
        }
    }

    private void add(Policy policy, List<String> subject, StoredSubject stored) {
        OptionalDouble limit = stored.limit();
        if (limit.isPresent() && limit.getAsDouble() > 0) {
            add(new Use(subject, stored.used((double) policy.measure().scale()), limit.getAsDouble()));
        }
    }

    private void add(Use use) {
        // a sum at the threshold is not over it
        boolean over = use.sum > use.threshold;
        buckets[over ? BUCKETS - 1 : (int) Math.min(BUCKETS - 2.0, Math.floor(use.used() * 10))]++;
        list(use);
    }

    private void list(Use use) {
        uses.add(use);
        uses.sort(NEAREST);
        if (uses.size() > most) {
            uses.remove(uses.size() - 1);
        }
    }

    /** Adds what another instance wrote. */
    void add(Node.Mapping answer) {
        List<? extends Node> counts = Tree.list(answer, "buckets");
        for (int i = 0; i < Math.min(BUCKETS, counts.size()); i++) {
            buckets[i] += (int) Tree.whole(counts.get(i));
        }
        for (Node one : Tree.list(answer, "nearest")) {
            list(new Use(Tree.texts(one, "subject"), Tree.number(one, "sum"), Tree.number(one, "threshold")));
        }
    }

    void write(JsonGenerator to) throws IOException {
        to.writeFieldName("buckets");
        to.writeArray(buckets, 0, BUCKETS);
        to.writeArrayFieldStart("nearest");
        for (Use use : uses) {
            to.writeStartObject();
            Answer.texts("subject", use.subject, to);
            to.writeNumberField("sum", use.sum);
            to.writeNumberField("threshold", use.threshold);
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}

package io.sluice.analyzer.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The heaviest subjects of all policies, the most requests first. Immutable.
 *
 * @param totals what all subjects of each policy offered, by its revision, in the measure's smallest unit
 */
public record Top(Map<String, Double> totals, List<TopSubject> subjects) {
    private static final Comparator<TopSubject> BUSIEST = Comparator.comparingDouble(TopSubject::requests)
            .reversed()
            .thenComparing(TopSubject::revision)
            .thenComparing(subject -> String.join("\u0000", subject.subject()));

    public Top {
        totals = Map.copyOf(totals);
        subjects = subjects.stream().sorted(BUSIEST).toList();
    }

    /** Of several tasks: a subject belongs to one of them alone, so there is nothing to add up but the totals. */
    public static Top of(Iterable<Top> tasks) {
        Map<String, Double> totals = new HashMap<>();
        List<TopSubject> subjects = new ArrayList<>();
        for (Top task : tasks) {
            task.totals.forEach((revision, total) -> totals.merge(revision, total, Double::sum));
            subjects.addAll(task.subjects);
        }
        return new Top(totals, subjects);
    }
}

package io.sluice.contract.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Matches without a document. */
final class Matches {
    private Matches() {}

    /** Requests with these values: attribute, as {@link Attribute#parse} reads it, to the values of which any may match. */
    static Match of(Map<String, List<String>> anyOf) {
        List<Term> terms = new ArrayList<>();
        List<StatusRange> statuses = new ArrayList<>();
        anyOf.forEach((spelling, values) -> {
            Attribute attribute = Attribute.parse(spelling);
            if (attribute.request()) {
                terms.add(new Term(
                        attribute,
                        values.stream().map(it -> Pattern.parse(attribute, it)).toList()));
            } else {
                values.forEach(it -> statuses.add(StatusRange.parse(it)));
            }
        });
        return new Match(terms, statuses, List.of());
    }

    /** The same without what the other one matches. */
    static Match except(Match match, Match other) {
        List<Match> more = new ArrayList<>(match.nots());
        more.add(other);
        return new Match(match.terms(), match.statuses(), more);
    }
}

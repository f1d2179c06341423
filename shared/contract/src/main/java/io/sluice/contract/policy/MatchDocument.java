package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A match as it stands in a policy file, in its canonical form: keys and values in alphabetical order, exceptions in that of their own canonical
 * forms, each value and exception once.
 */
final class MatchDocument {
    private MatchDocument() {}

    static Node.Mapping of(List<Term> terms, List<StatusRange> statuses, List<Match> nots) {
        List<Node.Entry> entries = new ArrayList<>();
        terms.stream()
                .sorted(Comparator.comparing(term -> term.attribute().toString()))
                .forEach(term -> entries.add(Document.entry(term.attribute().toString(), values(term.spelled()))));
        if (!statuses.isEmpty()) {
            entries.add(Document.entry(
                    "status",
                    values(statuses.stream()
                            .map(StatusRange::toString)
                            .distinct()
                            .sorted()
                            .toList())));
        }
        if (!nots.isEmpty()) {
            List<Node.Mapping> documents = nots.stream()
                    .distinct()
                    .sorted(Comparator.comparing(Match::toString))
                    .map(Match::document)
                    .toList();
            entries.add(Document.entry("not", documents.size() == 1 ? documents.get(0) : Document.list(documents)));
        }
        return Document.mapping(entries);
    }

    private static Node values(List<String> spelled) {
        List<Node.Scalar> values = spelled.stream().map(Document::text).toList();
        return values.size() == 1 ? values.get(0) : Document.list(values);
    }
}

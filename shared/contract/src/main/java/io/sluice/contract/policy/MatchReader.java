package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads a {@code match}: attributes with their values, and {@code not}. */
final class MatchReader {
    private static final String NOT = "not";
    private static final List<String> KEYS =
            List.of("caller", "ip", "service", "route", "method", "labels.NAME", "identity", "status", NOT);

    private MatchReader() {}

    static Match read(Fields fields) {
        return read(fields, List.of());
    }

    /** Every key of the mapping is an attribute or {@code not}, but for those that the caller reads itself. */
    static Match read(Fields fields, List<String> notOurs) {
        List<Term> terms = new ArrayList<>();
        List<StatusRange> statuses = new ArrayList<>();
        List<Match> nots = new ArrayList<>();
        for (Node.Entry entry : fields.mapping().entries()) {
            String key = entry.key();
            if (key.equals(NOT)) {
                nots(fields, nots);
            } else if (!notOurs.contains(key)) {
                attribute(fields, entry, notOurs, terms, statuses);
            }
        }
        return new Match(terms, statuses, nots);
    }

    private static void attribute(
            Fields fields, Node.Entry entry, List<String> notOurs, List<Term> terms, List<StatusRange> statuses) {
        Attribute attribute;
        try {
            attribute = Attribute.parse(entry.key());
        } catch (IllegalArgumentException e) {
            fields.problems().add(entry.place(), fields.path(entry.key()), unknown(entry.key(), notOurs));
            return;
        }
        if (attribute.bits() > 0) {
            String message =
                    "unknown key " + Problems.quoted(entry.key()) + "; write ip with a network such as 10.0.0.0/8";
            fields.problems().add(entry.place(), fields.path(entry.key()), message);
        } else if (attribute.request()) {
            List<Pattern> patterns = values(fields, entry.key(), text -> Pattern.parse(attribute, text));
            terms.add(new Term(attribute, patterns));
        } else {
            statuses.addAll(values(fields, entry.key(), StatusRange::parse));
        }
    }

    private static String unknown(String key, List<String> notOurs) {
        List<String> keys = new ArrayList<>(KEYS);
        keys.addAll(notOurs);
        return Fields.unknown(key, keys);
    }

    private static <T> List<T> values(Fields fields, String key, Function<String, T> reader) {
        List<T> values = new ArrayList<>();
        List<Node> items = fields.items(key);
        if (items == null || items.isEmpty()) {
            fields.wrong(key, "empty; allowed: a value or a list of values");
            return values;
        }
        for (int i = 0; i < items.size(); i++) {
            fields.scalar(items.get(i), fields.itemPath(key, i), values, text -> {
                values.add(reader.apply(text));
                return values;
            });
        }
        return values;
    }

    private static void nots(Fields fields, List<Match> nots) {
        List<Node> items = fields.items(NOT);
        for (int i = 0; items != null && i < items.size(); i++) {
            Fields not = fields.fields(items.get(i), fields.itemPath(NOT, i));
            if (not != null) {
                if (not.mapping().entries().isEmpty()) {
                    not.wrong("empty, would leave nothing; allowed: attributes as in match");
                }
                nots.add(read(not));
            }
        }
    }
}

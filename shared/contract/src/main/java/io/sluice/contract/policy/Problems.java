package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import io.sluice.contract.json.PrintableText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Collects the problems of a document, so that all of them are reported at once. */
final class Problems {
    private static final int LONGEST_QUOTE = 60;

    private final boolean lenient;
    private final List<Problem> found = new ArrayList<>();
    private final IdentityHashMap<Node, Set<String>> told = new IdentityHashMap<>();

    /** Complains of unknown keys, too, unless it is lenient: then a newer version may have written the document. */
    Problems(boolean lenient) {
        this.lenient = lenient;
    }

    boolean lenient() {
        return lenient;
    }

    /** A problem of a node, reported once however often the node is read: an override inherits the nodes it does not replace. */
    void add(Node node, String field, String message) {
        if (told.computeIfAbsent(node, it -> new HashSet<>()).add(message)) {
            add(node.place(), field, message);
        }
    }

    void add(Place place, String field, String message) {
        found.add(new Problem(place, field, message));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    int count() {
        return found.size();
    }

    /** In the document's order. */
    List<Problem> list() {
        return found.stream()
                .sorted(Comparator.comparingInt(problem -> problem.place().line()))
                .toList();
    }

    /** Describes a node for the part of a message that contains what was found. */
    static String found(Node node) {
        boolean quotable = node instanceof Node.Scalar scalar && scalar.type() != Node.Scalar.Type.NOTHING;
        return "found " + (quotable ? quoted(((Node.Scalar) node).text()) : node.kind());
    }

    /** In quotes, cut, on one line and without control characters, whatever the file holds. */
    static String quoted(String text) {
        return text.length() > LONGEST_QUOTE
                ? "'" + PrintableText.of(text.substring(0, LONGEST_QUOTE)) + "…'"
                : "'" + PrintableText.of(text) + "'";
    }
}

package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import java.math.BigDecimal;
import java.util.List;

/** Parts of a document that was not read but is being written. */
final class Document {
    private static final Place NOWHERE = new Place("policies", 0);

    private Document() {}

    static Node.Entry entry(String key, Node value) {
        return new Node.Entry(key, NOWHERE, value);
    }

    static Node.Entry entry(String key, String text) {
        return entry(key, text(text));
    }

    static Node.Mapping mapping(List<Node.Entry> entries) {
        return new Node.Mapping(NOWHERE, entries);
    }

    static Node.Listing list(List<? extends Node> items) {
        return new Node.Listing(NOWHERE, List.copyOf(items));
    }

    static Node.Scalar text(String text) {
        return Node.Scalar.text(NOWHERE, text);
    }

    static Node.Scalar truth(boolean value) {
        return new Node.Scalar(NOWHERE, Node.Scalar.Type.TRUTH, Boolean.toString(value));
    }

    static Node.Scalar number(long value) {
        return new Node.Scalar(NOWHERE, Node.Scalar.Type.NUMBER, Long.toString(value));
    }

    static Node.Scalar number(double value) {
        String text = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
        return new Node.Scalar(NOWHERE, Node.Scalar.Type.NUMBER, text);
    }
}

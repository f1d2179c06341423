package io.sluice.analyzer.api;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what the API answered. What is not there, or is something else, counts as empty or 0: a later version may have left it out. */
public final class Tree {
    private Tree() {}

    /** A document that has to be an object. */
    public static Node.Mapping of(byte[] json) throws MalformedRecord {
        if (JsonNodes.read(json, "answer") instanceof Node.Mapping object) {
            return object;
        }
        throw new MalformedRecord("answer: an object is expected");
    }

    /** The object in a field. */
    public static Node.Mapping object(Node from, String field) {
        return value(from, field) instanceof Node.Mapping object ? object : new Node.Mapping(from.place(), List.of());
    }

    /** The items of a list in a field. */
    public static List<Node> list(Node from, String field) {
        return value(from, field) instanceof Node.Listing list ? list.items() : List.of();
    }

    /** A text in a field. */
    public static String text(Node from, String field) {
        return text(value(from, field));
    }

    /** The texts of a list in a field. */
    public static List<String> texts(Node from, String field) {
        return list(from, field).stream().map(Tree::text).toList();
    }

    private static String text(@Nullable Node node) {
        return node instanceof Node.Scalar scalar ? scalar.text() : "";
    }

    /** A number in a field. */
    public static double number(Node from, String field) {
        Node value = value(from, field);
        return value == null ? 0 : number(value);
    }

    /** Returns whether there is such a field. */
    public static boolean has(Node from, String field) {
        return value(from, field) != null;
    }

    /** A number. */
    public static double number(Node node) {
        return node instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.NUMBER
                ? Double.parseDouble(scalar.text())
                : 0;
    }

    /** A whole number in a field. */
    public static long whole(Node from, String field) {
        Node value = value(from, field);
        return value == null ? 0 : whole(value);
    }

    /** A whole number. */
    public static long whole(Node node) {
        return node instanceof Node.Scalar scalar && scalar.text().matches("-?[0-9]{1,18}")
                ? Long.parseLong(scalar.text())
                : (long) number(node);
    }

    private static @Nullable Node value(Node from, String field) {
        return from instanceof Node.Mapping object ? object.value(field) : null;
    }
}

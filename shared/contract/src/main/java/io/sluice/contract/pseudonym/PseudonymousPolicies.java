package io.sluice.contract.pseudonym;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.policy.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces the callers and addresses that a policy set names by their pseudonyms, under all keys. Names that are pseudonyms already stay, so that
 * doing it twice changes nothing. One use.
 */
public final class PseudonymousPolicies {
    private static final List<String> GROUPINGS = List.of("per", "of", "distinct");
    private static final Place PLACE = new Place("policies", 0);

    private final Pseudonyms pseudonyms;
    private final List<Problem> problems = new ArrayList<>();
    /** Whether an override of locks is at hand, which may name no part of what {@code per: [ip]} counts together. */
    private boolean locks;
    /** The attributes that the policy at hand counts by. */
    private List<String> per = List.of();

    private PseudonymousPolicies(Pseudonyms pseudonyms) {
        this.pseudonyms = pseudonyms;
    }

    /**
     * Returns the set as agents with these keys see it; the set itself without keys.
     *
     * @throws InvalidPolicies where it needs what pseudonyms hide: a caller with {@code *}, a network, or {@code ip/N}
     */
    public static PolicySet of(PolicySet set, Pseudonyms pseudonyms) throws InvalidPolicies {
        if (pseudonyms.keys().isEmpty()) {
            return set;
        }
        PseudonymousPolicies policies = new PseudonymousPolicies(pseudonyms);
        Node document;
        try {
            document = policies.replaced(
                    PolicySetJson.written(JsonNodes.read(PolicySetJson.writeDesired(set), PLACE.toString())), "", "");
        } catch (MalformedRecord e) {
            throw new IllegalStateException("a written policy set can be read", e);
        }
        if (!policies.problems.isEmpty()) {
            throw new InvalidPolicies(policies.problems);
        }
        return PolicySetReader.read(document);
    }

    /** @param key of the mapping's entry that the node is in */
    private Node replaced(Node node, String key, String path) {
        if (node instanceof Node.Mapping mapping) {
            boolean outer = locks;
            locks |= key.equals("overrides") && mapping.value("lock") != null;
            if (mapping.value("per") instanceof Node.Listing attributes) {
                per = attributes.items().stream()
                        .map(item -> ((Node.Scalar) item).text())
                        .toList();
            }
            Node copy = new Node.Mapping(
                    PLACE,
                    mapping.entries().stream()
                            .map(entry -> new Node.Entry(entry.key(), PLACE, value(entry, path)))
                            .toList());
            locks = outer;
            return copy;
        }
        if (node instanceof Node.Listing listing) {
            List<Node> items = new ArrayList<>();
            for (int i = 0; i < listing.items().size(); i++) {
                if (!key.equals("of") || parts(listing.items().get(i))) {
                    items.add(replaced(listing.items().get(i), key, path + "[" + i + "]"));
                }
            }
            return new Node.Listing(PLACE, items);
        }
        if (GROUPINGS.contains(key) && ((Node.Scalar) node).text().startsWith("ip/")) {
            problem(
                    path,
                    ((Node.Scalar) node).text(),
                    "ip: the pseudonyms of a network's addresses have nothing in common");
        }
        return node;
    }

    /**
     * Returns whether an attribute of a share parts the policy's requests into groups. A caller or address that is not in {@code per} is fixed to
     * one name by {@code match}, which has a pseudonym under each key.
     */
    private boolean parts(Node attribute) {
        String name = ((Node.Scalar) attribute).text();
        return per.contains(name) || !(name.equals("caller") || name.equals("ip"));
    }

    private Node value(Node.Entry entry, String parent) {
        String path = parent.isEmpty() ? entry.key() : parent + "." + entry.key();
        boolean named = entry.key().equals("caller") || entry.key().equals("ip");
        return named
                ? names(entry.value(), Attribute.parse(entry.key()), path)
                : replaced(entry.value(), entry.key(), path);
    }

    private Node names(Node node, Attribute attribute, String path) {
        List<Node> names = node instanceof Node.Listing listing ? listing.items() : List.of(node);
        List<Node> replaced = new ArrayList<>();
        for (Node name : names) {
            String text = ((Node.Scalar) name).text();
            List<String> values = pseudonyms.of(attribute, text);
            if (attribute.kind() == Attribute.Kind.CALLER ? text.contains("*") : wide(text, values)) {
                problem(
                        path,
                        text,
                        attribute.kind() == Attribute.Kind.CALLER
                                ? "whole names: a pseudonym hides the parts of a name"
                                : "single addresses and IPv6 networks of /64: a pseudonym hides other networks");
            }
            String ip = attribute.kind() == Attribute.Kind.IP ? Addresses.canonical(text) : null;
            boolean whole = locks && ip != null && ip.indexOf(':') < 0;
            for (String value : values) {
                replaced.add(Node.Scalar.text(PLACE, whole ? PseudonymKey.network(value) : value));
            }
        }
        return new Node.Listing(PLACE, replaced);
    }

    /** Returns whether a network has no pseudonym. */
    private static boolean wide(String text, List<String> values) {
        return text.contains("/") && values.contains(text) && !PseudonymKey.isIp(text);
    }

    private void problem(String path, String found, String allowed) {
        problems.add(new Problem(PLACE, path, "found '" + found + "', with pseudonyms allowed are " + allowed));
    }
}

package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.List;

/** Reads a list of request attributes, each once. */
final class AttributeList {
    private static final int MAX = 8;

    private AttributeList() {}

    static List<Attribute> read(Fields fields, String key) {
        List<Attribute> attributes = new ArrayList<>();
        List<Node> items = fields.items(key);
        for (int i = 0; items != null && i < items.size(); i++) {
            fields.scalar(items.get(i), fields.itemPath(key, i), attributes, text -> {
                Attribute attribute = Attribute.parse(text);
                if (!attribute.request()) {
                    throw new IllegalArgumentException(
                            "it is known only after the response; allowed: request attributes");
                }
                if (attributes.contains(attribute)) {
                    throw new IllegalArgumentException("it stands there twice");
                }
                attributes.add(attribute);
                return attributes;
            });
        }
        if (attributes.size() > MAX) {
            fields.wrong(key, "allowed: at most " + MAX + " attributes");
        }
        return List.copyOf(attributes);
    }
}

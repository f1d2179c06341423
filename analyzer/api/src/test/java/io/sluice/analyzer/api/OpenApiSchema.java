package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.Node;
import java.util.List;

/** Answers held against the schemas of the OpenAPI file. */
final class OpenApiSchema {
    private OpenApiSchema() {}

    /** What is required is there, and nothing is there that is not described. */
    static void conforms(Node value, Node.Mapping schema, Node.Mapping openApi, String place) {
        Node.Mapping described = resolved(schema, openApi);
        if (value instanceof Node.Listing list) {
            list.items().forEach(item -> conforms(item, (Node.Mapping) in(described, "items"), openApi, place + "[]"));
        } else if (value instanceof Node.Mapping object
                && described.value("properties") instanceof Node.Mapping properties) {
            assertThat(object.entries().stream().map(Node.Entry::key))
                    .as(place)
                    .containsAll(texts(described.value("required")));
            boolean openEnded = texts(described.value("required")).contains("policies")
                    || texts(described.value("required")).contains("author");
            for (Node.Entry entry : object.entries()) {
                Node property = properties.value(entry.key());
                if (property == null) {
                    assertThat(openEnded)
                            .as(place + "." + entry.key() + " is not described")
                            .isTrue();
                } else {
                    conforms(entry.value(), (Node.Mapping) property, openApi, place + "." + entry.key());
                }
            }
        }
    }

    private static Node.Mapping resolved(Node.Mapping schema, Node.Mapping openApi) {
        return schema.value("$ref") instanceof Node.Scalar reference
                ? (Node.Mapping) in(openApi, reference.text().substring(2).split("/", -1))
                : schema;
    }

    private static List<String> texts(Node listing) {
        return listing instanceof Node.Listing list
                ? list.items().stream().map(item -> ((Node.Scalar) item).text()).toList()
                : List.of();
    }

    static Node in(Node node, String... path) {
        Node found = node;
        for (String key : path) {
            found = ((Node.Mapping) found).value(key);
            assertThat(found).as(key).isNotNull();
        }
        return found;
    }
}

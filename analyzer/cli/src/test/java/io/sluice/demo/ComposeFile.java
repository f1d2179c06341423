package io.sluice.demo;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.settings.YamlNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What docker-compose.yml says of its services, merge keys ({@code <<}) resolved. */
final class ComposeFile {
    /** Surefire runs in the module's folder. */
    static final Path FILE =
            Path.of("..", "..", "docker-compose.yml").toAbsolutePath().normalize();

    private final Map<String, Service> services = new LinkedHashMap<>();

    /** One service; {@code image} is empty for those of our own image. */
    record Service(
            String name, String image, List<String> command, Map<String, String> environment, List<String> volumes) {}

    private ComposeFile(Node.Mapping root) {
        for (Map.Entry<String, Node> entry : merged(root.value("services")).entrySet()) {
            Map<String, Node> service = merged(entry.getValue());
            Map<String, String> environment = new LinkedHashMap<>();
            if (service.containsKey("environment")) {
                merged(service.get("environment")).forEach((name, value) -> environment.put(name, text(value)));
            }
            services.put(
                    entry.getKey(),
                    new Service(
                            entry.getKey(),
                            service.containsKey("build") ? "" : text(service.get("image")),
                            texts(service.get("command")),
                            environment,
                            texts(service.get("volumes"))));
        }
    }

    static ComposeFile read() throws IOException, MalformedRecord {
        return new ComposeFile((Node.Mapping) YamlNodes.read(Files.readAllBytes(FILE), FILE.toString()));
    }

    Service service(String name) {
        return services.get(name);
    }

    List<String> names() {
        return List.copyOf(services.keySet());
    }

    private static Map<String, Node> merged(Node node) {
        Map<String, Node> merged = new LinkedHashMap<>();
        Node.Mapping mapping = (Node.Mapping) node;
        Node inherited = mapping.value("<<");
        if (inherited != null) {
            merged.putAll(merged(inherited));
        }
        for (Node.Entry entry : mapping.entries()) {
            if (!entry.key().equals("<<")) {
                merged.put(entry.key(), entry.value());
            }
        }
        return merged;
    }

    private static List<String> texts(Node node) {
        List<String> texts = new ArrayList<>();
        if (node instanceof Node.Listing listing) {
            listing.items().forEach(item -> texts.add(text(item)));
        }
        return texts;
    }

    private static String text(Node node) {
        return ((Node.Scalar) node).text();
    }
}

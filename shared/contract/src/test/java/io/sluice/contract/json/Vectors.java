package io.sluice.contract.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Golden vectors: JSON lines that every implementation of the contract has to agree with. */
public final class Vectors {
    private Vectors() {}

    /** The lines of {@code vectors/NAME.jsonl}. */
    public static Stream<Node.Mapping> of(String name) {
        Path file = Path.of("src/test/resources/vectors", name + ".jsonl");
        List<Node.Mapping> vectors = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                vectors.add((Node.Mapping) JsonNodes.read(line.getBytes(StandardCharsets.UTF_8), name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (MalformedRecord e) {
            throw new AssertionError(file + " line " + (vectors.size() + 1), e);
        }
        return vectors.stream();
    }

    /** A field's text; {@code null} when it is null or missing. */
    public static @Nullable String optional(Node.Mapping vector, String key) {
        return vector.value(key) instanceof Node.Scalar scalar && scalar.type() != Node.Scalar.Type.NOTHING
                ? scalar.text()
                : null;
    }

    public static String text(Node.Mapping vector, String key) {
        return Objects.requireNonNull(optional(vector, key), key);
    }

    public static int number(Node.Mapping vector, String key) {
        return Integer.parseInt(text(vector, key));
    }

    public static List<String> texts(Node.Mapping vector, String key) {
        Node.Listing listing = (Node.Listing) Objects.requireNonNull(vector.value(key), key);
        return listing.items().stream().map(item -> ((Node.Scalar) item).text()).toList();
    }
}

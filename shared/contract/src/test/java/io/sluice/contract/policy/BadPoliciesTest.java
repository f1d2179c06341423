package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each document in {@code policies/bad} has its problems beside it, one a line, as a user would read them. */
class BadPoliciesTest {
    private static final Path FOLDER = Path.of("src/test/resources/policies/bad");

    @ParameterizedTest
    @MethodSource("documents")
    void aBadDocumentTellsAllItsProblemsAtOnce(Path document) throws Exception {
        Node root = JsonNodes.read(Files.readAllBytes(document), "policies.yml");

        InvalidPolicies invalid = catchThrowableOfType(InvalidPolicies.class, () -> PolicySetReader.read(root));

        assertThat(invalid.problems()).extracting(Problem::toString).containsExactlyElementsOf(expected(document));
    }

    @Test
    void thereAreManyBadDocuments() throws IOException {
        try (Stream<Path> documents = documents()) {
            assertThat(documents).hasSizeGreaterThan(50);
        }
    }

    @Test
    void aMessageHoldsAllProblems() throws Exception {
        Path document = FOLDER.resolve("many-at-once.json");
        Node root = JsonNodes.read(Files.readAllBytes(document), "policies.yml");

        InvalidPolicies invalid = catchThrowableOfType(InvalidPolicies.class, () -> PolicySetReader.read(root));

        assertThat(invalid).hasMessage(String.join("\n", expected(document)));
    }

    private static List<String> expected(Path document) throws IOException {
        return Files.readAllLines(Path.of(document.toString().replace(".json", ".problems")));
    }

    static Stream<Path> documents() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        }
    }
}

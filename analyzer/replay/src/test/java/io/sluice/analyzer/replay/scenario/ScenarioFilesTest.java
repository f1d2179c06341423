package io.sluice.analyzer.replay.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The folders are as their stories make them. */
class ScenarioFilesTest {
    static List<String> names() {
        return List.copyOf(Stories.names());
    }

    @Test
    void everyFolderHasAStoryAndALineInTheReadme() {
        assertThat(Folders.all()).hasSizeGreaterThanOrEqualTo(15).containsExactlyElementsOf(names());
        assertThat(names())
                .allSatisfy(
                        name -> assertThat(Folders.text(".", "README.md")).contains("[" + name + "](" + name + "/"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void theEventsAreThoseThatTheStoryMakes(String name) throws IOException {
        byte[] made = Stories.of(name).bytes();
        Path file = Folders.ROOT.resolve(name).resolve(Scenario.EVENTS);
        if ("write".equals(System.getProperty("sluice.scenarios"))) {
            Files.write(file, made);
        }

        assertThat(file).as("made anew by -Dsluice.scenarios=write").hasBinaryContent(made);
    }

    @Test
    void allOfThemAreSmall() throws IOException {
        long bytes = 0;
        for (String name : names()) {
            long size = Files.size(Folders.ROOT.resolve(name).resolve(Scenario.EVENTS));
            assertThat(size).as(name).isLessThan(300_000);
            bytes += size;
        }

        assertThat(bytes).isLessThan(3_000_000);
    }
}

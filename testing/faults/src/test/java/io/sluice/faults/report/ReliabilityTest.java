package io.sluice.faults.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReliabilityTest {
    @TempDir
    Path folder;

    @Test
    void aLineTakesThePlaceOfTheFormerOneOfItsFaultAndTestAndTheRestStays() throws IOException {
        Path file = Files.writeString(
                folder.resolve("r.md"),
                "# Before\n\n" + Reliability.HEAD + "| 2 | b | b | `B` | old | x |\n| 10 | c | c | `C` | kept | x |\n"
                        + "\nAfter.\n");

        Reliability.write(file, "| 3 | a | a | `A` | first | x |");
        Reliability.write(file, "| 2 | b | b | `B` | new | x |");
        Reliability.write(file, "| 2 | another | b | `B` | beside it | x |");

        assertThat(file)
                .hasContent("# Before\n\n" + Reliability.HEAD + "| 2 | another | b | `B` | beside it | x |\n"
                        + "| 2 | b | b | `B` | new | x |\n"
                        + "| 3 | a | a | `A` | first | x |\n| 10 | c | c | `C` | kept | x |\n\nAfter.\n");
    }
}

package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceLockTest {
    @TempDir
    Path folder;

    @Test
    void take_fileInPlaceOfTheDirectory_isNamedWithoutAnException() throws Exception {
        Path file = Files.createFile(folder.resolve("state"));

        assertThatThrownBy(() -> InstanceLock.take(file.resolve("one"), "one"))
                .isInstanceOf(CannotStart.class)
                .hasMessageStartingWith("analyzer.state-dir: can't write to " + file.resolve("one") + ": ")
                .message()
                .doesNotContain("Exception");
        assertThatThrownBy(() -> InstanceLock.take(file, "one"))
                .isInstanceOf(CannotStart.class)
                .hasMessage("analyzer.state-dir: can't write to " + file + ": " + file + " is a file");
    }
}

package io.sluice.faults.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Where tests keep what they write: {@code target/rows/TEST-…}. It goes when a test succeeds; history and logs of one that fails stay.
 */
public final class KeptFolders implements TempDirFactory {
    private static final Path ROWS = Path.of("target", "rows");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        Path rows = Files.createDirectories(ROWS).toAbsolutePath();
        return Files.createTempDirectory(rows, test.getRequiredTestClass().getSimpleName() + "-");
    }
}

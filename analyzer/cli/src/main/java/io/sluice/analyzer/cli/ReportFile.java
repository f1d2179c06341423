package io.sluice.analyzer.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The file of {@code --report}, checked before the work that it reports, and written after it. */
public final class ReportFile {
    private ReportFile() {}

    /** @throws CommandLine.ParameterException for a path at which no file can be written */
    public static void check(CommandLine command, @Nullable Path report) {
        if (report == null) {
            return;
        }
        if (report.toString().isEmpty()) {
            throw new CommandLine.ParameterException(
                    command, "--report: found nothing, allowed is a file; leave the option out for none");
        }
        Path folder = report.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(report)) {
            throw refused(command, report, "it is a folder");
        }
        if (!Files.isDirectory(folder)) {
            throw refused(command, report, "there is no folder " + folder);
        }
        if (!Files.isWritable(Files.exists(report) ? report : folder)) {
            throw refused(command, report, "permission denied");
        }
    }

    /** @throws IOException with a message for the user, such as of a disk that is full */
    public static void write(Path report, byte[] content) throws IOException {
        try {
            Files.write(report, content);
        } catch (IOException e) {
            throw new IOException("--report: " + report + " cannot be written: " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "its folder is gone";
        }
        return failure instanceof AccessDeniedException ? "permission denied" : String.valueOf(failure.getMessage());
    }

    private static CommandLine.ParameterException refused(CommandLine command, Path report, String reason) {
        return new CommandLine.ParameterException(command, "--report: found " + report + "; " + reason);
    }
}

package io.sluice.faults.process;

import io.sluice.faults.history.HarnessClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a JVM with this process's Java and class path. */
final class Launch {
    /** What makes a start shorter: most processes live for seconds. */
    private static final List<String> SHORT_START =
            List.of("-Xshare:auto", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote");

    private Launch() {}

    /** @param log what takes its error stream, behind what is there */
    static Process of(JavaProcess.Spec spec, Path log) {
        List<String> command = new ArrayList<>(spec.prefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Dlogback.configurationFile=io/sluice/faults/process-logback.xml");
        command.add(HarnessClock.asOption());
        command.add("-Dsluice.patience=" + System.getProperty("sluice.patience", "1"));
        command.addAll(SHORT_START);
        command.addAll(spec.javaOptions());
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), spec.main().getName()));
        command.addAll(spec.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(spec.folder().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SLUICE_"));
        builder.environment().putAll(spec.environment());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

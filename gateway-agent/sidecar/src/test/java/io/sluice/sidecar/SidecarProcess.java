package io.sluice.sidecar;

import io.sluice.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** A sidecar in a process of its own, as the launcher runs it: to be stopped and frozen. */
final class SidecarProcess implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("answers on (http://\\S+), and over gRPC on port (\\d+)");

    private final Process process;
    private final URI http;
    private final int grpcPort;

    /** The command as the launcher runs it. */
    static final class Main {
        public static void main(String... arguments) {
            System.exit(new CommandLine(new SidecarCommand()).execute(arguments));
        }
    }

    private SidecarProcess(Process process, Matcher listens) {
        this.process = process;
        this.http = URI.create(listens.group(1));
        this.grpcPort = Integer.parseInt(listens.group(2));
    }

    /** Returns once it listens. */
    static SidecarProcess start(Path settings) throws IOException {
        List<String> command = ChildJvm.command(
                List.of("-Dlogback.configurationFile=" + SidecarProcess.class.getResource("/logback-info.xml")),
                Main.class);
        command.addAll(List.of("--config", settings.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder lines = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = LISTENS.matcher(line);
            if (matcher.find()) {
                return new SidecarProcess(process, matcher);
            }
            lines.append(line).append('\n');
        }
        throw new AssertionError("the sidecar ended with the output " + lines);
    }

    Process process() {
        return process;
    }

    URI http() {
        return http;
    }

    int grpcPort() {
        return grpcPort;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

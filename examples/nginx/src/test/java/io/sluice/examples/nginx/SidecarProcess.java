package io.sluice.examples.nginx;

import io.sluice.kafka.embedded.Signal;
import io.sluice.sidecar.SidecarCommand;
import io.sluice.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** {@code ./sluice sidecar} with the example's settings, in a process that can be killed and frozen. */
final class SidecarProcess implements AutoCloseable {
    private static final Pattern ANSWERS = Pattern.compile("answers on (http://\\S+),");

    private final Process process;
    private final URI http;

    private SidecarProcess(Process process, URI http) {
        this.process = process;
        this.http = http;
    }

    /** The command as the launcher runs it. */
    static final class Main {
        public static void main(String... arguments) {
            System.exit(new CommandLine(new SidecarCommand()).execute(arguments));
        }
    }

    /**
     * Starts it and waits until it listens.
     *
     * @param port 0 for a free one
     * @param environment settings over those of the file
     */
    static SidecarProcess start(int port, Map<String, String> environment) throws IOException {
        List<String> command = ChildJvm.command(
                List.of("-Dlogback.configurationFile=" + SidecarProcess.class.getResource("/logback-info.xml")),
                Main.class);
        command.add("--config");
        command.add(Path.of("../../examples/nginx/sluice.yml").toAbsolutePath().toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SLUICE_"));
        builder.environment().put("SLUICE_SIDECAR_HTTP", "127.0.0.1:" + port);
        builder.environment().put("SLUICE_SIDECAR_GRPC", "127.0.0.1:0");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            return new SidecarProcess(process, address(process));
        } catch (IOException | AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static URI address(Process process) throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = ANSWERS.matcher(line);
            if (matcher.find()) {
                return URI.create(matcher.group(1));
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("the sidecar ended, saying " + said);
    }

    URI http() {
        return http;
    }

    /** SIGKILL: no goodbye. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGSTOP: its port goes on accepting connections, without any answer. */
    void freeze() {
        Signal.STOP.send(process.pid());
    }

    void thaw() {
        Signal.CONT.send(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

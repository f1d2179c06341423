package io.sluice.quota.token;

import io.sluice.testing.ChildJvm;
import io.sluice.testing.FreePort;
import io.sluice.testing.StoreServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A real token server, to be killed and frozen; always on the same port. */
final class ServerProcess implements StoreServer {
    private final int port;
    private Process process;
    private BufferedReader output;

    private ServerProcess(int port, String mode) throws IOException {
        this.port = port;
        start(mode);
    }

    /** Starts one whose buckets are full at first. */
    static ServerProcess start() throws IOException {
        return new ServerProcess(FreePort.next(), "full");
    }

    /** Starts it again after {@link #kill}. */
    void start(String mode) throws IOException {
        List<String> command = ChildJvm.command(List.of(), TokenServerMain.class);
        command.addAll(List.of(String.valueOf(port), mode));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(new File("target/token-server.log")))
                .start();
        output = process.inputReader(StandardCharsets.UTF_8);
        if (!"ready".equals(output.readLine())) {
            throw new IOException("the token server did not start");
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Starts it again with full buckets. */
    @Override
    public void restart() throws IOException {
        start("full");
    }

    /** Returns the number of its buckets. */
    long buckets() throws IOException {
        process.outputWriter().write("\n");
        process.outputWriter().flush();
        return Long.parseLong(output.readLine());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

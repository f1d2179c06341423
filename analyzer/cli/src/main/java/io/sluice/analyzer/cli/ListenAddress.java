package io.sluice.analyzer.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import picocli.CommandLine;

/** The address of {@code --bind} and {@code --port}, checked before what takes long is started. */
public final class ListenAddress {
    private ListenAddress() {}

    /**
     * Binds the port for a moment.
     *
     * @param port 0, a free one, is never refused
     * @throws CommandLine.ParameterException for an address that cannot be listened on
     */
    public static void check(CommandLine command, InetAddress host, int port) {
        check(command, host, 0, "choose an address of this machine");
        check(command, host, port, "choose another --port, or 0 for a free one");
    }

    private static void check(CommandLine command, InetAddress host, int port, String remedy) {
        try (ServerSocket socket = new ServerSocket()) {
            // as servers do: connections that have just ended do not keep the port
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new CommandLine.ParameterException(
                    command,
                    "can't listen on " + host.getHostAddress() + ":" + port + ": " + e.getMessage() + "; " + remedy,
                    e);
        }
    }
}

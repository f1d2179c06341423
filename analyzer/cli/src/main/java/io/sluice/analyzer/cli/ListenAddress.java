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
     * Binds the address for a moment.
     *
     * @param port 0 for any free one
     * @throws CommandLine.ParameterException for an address that cannot be listened on
     */
    public static void check(CommandLine command, InetAddress host, int port) {
        bind(command, new InetSocketAddress(host, 0), host.getHostAddress(), "choose an address of this machine");
        bind(
                command,
                new InetSocketAddress(host, port),
                host.getHostAddress() + ":" + port,
                "choose another --port, or 0 for a free one");
    }

    private static void bind(CommandLine command, InetSocketAddress address, String name, String remedy) {
        try (ServerSocket socket = new ServerSocket()) {
            // as servers do: connections that have just ended do not keep the port
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            throw new CommandLine.ParameterException(
                    command, "can't listen on " + name + ": " + e.getMessage() + "; " + remedy, e);
        }
    }
}

package io.sluice.faults.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A connection's worse half: passes bytes on to a target on loopback, and can do to them what networks do. Its mode holds for
 * connections that are open and for new ones. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.PASS;
    private volatile boolean closed;

    /**
     * What is done to the bytes.
     *
     * @param delayMillis how long each piece of up to 16 KiB is held, in each direction
     * @param bytesPerSecond the most that passes, a connection and direction
     */
    public record Mode(Kind kind, long delayMillis, long bytesPerSecond) {
        /** As if the proxy were not there. */
        public static final Mode PASS = new Mode(Kind.PASS, 0, Long.MAX_VALUE);
        /** Connections stay open, or open, and nothing passes; it does later, when the mode ends. */
        public static final Mode BLACKHOLE = new Mode(Kind.BLACKHOLE, 0, Long.MAX_VALUE);
        /** Connections are reset, and new ones as soon as they are open. */
        public static final Mode RESET = new Mode(Kind.RESET, 0, Long.MAX_VALUE);
        /** The client is told that the target has ended; what it sends still passes, and gets no answer. */
        public static final Mode HALF_CLOSE = new Mode(Kind.HALF_CLOSE, 0, Long.MAX_VALUE);
        /** What the client sends passes, and the answers are lost. */
        public static final Mode MUTE = new Mode(Kind.MUTE, 0, Long.MAX_VALUE);

        /** Late. */
        public static Mode delay(long millis) {
            return new Mode(Kind.PASS, millis, Long.MAX_VALUE);
        }

        /** Slow. */
        public static Mode throttle(long bytesPerSecond) {
            return new Mode(Kind.PASS, 0, bytesPerSecond);
        }
    }

    /** How bytes are treated. */
    public enum Kind {
        PASS,
        BLACKHOLE,
        RESET,
        HALF_CLOSE,
        MUTE
    }

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
        Thread acceptor = new Thread(this::accept, "proxy-" + server.getLocalPort());
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /**
     * Listens on a free port of an address.
     *
     * @param targetPort on 127.0.0.1; it may be closed at first
     */
    public static TcpProxy start(String address, int targetPort) {
        try {
            ServerSocket server = new ServerSocket();
            server.bind(new InetSocketAddress(address, 0));
            return new TcpProxy(server, targetPort);
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy can't listen on " + address, e);
        }
    }

    /** {@code host:port} for clients. */
    public String address() {
        return server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
    }

    /** From now on. */
    public void mode(Mode next) {
        mode = next;
        links.forEach(link -> link.mode(next));
    }

    /** How many connections are open. */
    public int connections() {
        return links.size();
    }

    private void accept() {
        while (!closed) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // the server socket was closed, or a client gave up at once
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), target);
            Link link = new Link(client, broker, links::remove);
            links.add(link);
            link.mode(mode);
            link.start();
        } catch (IOException closedPort) {
            reset(client);
        }
    }

    static void reset(Socket socket) throws IOException {
        try {
            socket.setSoLinger(true, 0);
        } finally {
            socket.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        mode(Mode.RESET);
    }
}

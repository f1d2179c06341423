package io.sluice.http.server;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;

/**
 * Bounds what open connections can hold: their number, and the time that each may take for a whole request. Bytes that dribble in
 * buy no time, unlike with an idle timeout. A new connection beyond that replaces the one that has
 * asked nothing for longest, so slow clients can't keep others out. Thread-safe.
 */
public final class Connections implements Connection.Listener {
    /** For the first request, which is expected at once. */
    public static final Duration FIRST = Duration.ofSeconds(5);

    /** For every further one; longer than nginx (60 s) keeps an idle connection, so that nginx is the one to close it. */
    static final Duration NEXT = Duration.ofSeconds(75);

    private final int most;
    private final LongSupplier nanos;
    private final Map<Connection, Held> open = new ConcurrentHashMap<>();

    private static final class Held {
        private volatile long since;
        private volatile boolean asked;

        Held(long now) {
            since = now;
        }

        long left(long now) {
            return (asked ? NEXT : FIRST).toNanos() - (now - since);
        }
    }

    /**
     * @param most open at once
     * @param nanos a monotonic clock, such as a {@link RunningClock}
     */
    Connections(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            // carries the one that reads requests, which is opened with it
            return;
        }
        open.put(connection, new Held(nanos.getAsLong()));
        if (open.size() > most) {
            open.entrySet().stream()
                    .filter(other -> other.getKey() != connection)
                    .min(Comparator.comparingLong(other -> other.getValue().since))
                    .ifPresent(longest -> longest.getKey().close());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        open.remove(connection);
    }

    /** The client of a response that goes on for long is still there. */
    public static void alive(Request request) {
        ConnectionMetaData of = request.getConnectionMetaData();
        Connections connections = of.getConnector().getBean(Connections.class);
        if (connections != null) {
            connections.asked(of.getConnection());
        }
    }

    /** A whole request has come in. */
    void asked(Connection connection) {
        Held held = open.get(connection);
        if (held != null) {
            held.since = nanos.getAsLong();
            held.asked = true;
        }
    }

    /** Closes those whose time is up; to be called every second or so. */
    void sweep() {
        long now = nanos.getAsLong();
        open.forEach((connection, held) -> {
            if (held.left(now) <= 0) {
                connection.close();
            }
        });
    }

    int size() {
        return open.size();
    }
}

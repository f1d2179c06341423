package io.sluice.agent.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of an exchange of the JDK's server, which has no listener for it: a handler may return and answer later, from another thread.
 * An exchange ends when its handler has returned and its response is complete: sent without a body, written to its length, closed, or
 * sent by a filter in front of the gate. One that
 * its handler loses without an answer ends when it is collected as garbage, so that it does not hold a permit for good. Thread-safe.
 */
final class ExchangeCompletion {
    private static final int FIRST_WITH_BODY = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    /** What a client has of an exchange that ends without an answer. */
    private static final int SERVER_ERROR = 500;

    private final HttpExchange exchange;
    private final HttpGate.GatedExchange gated;
    private long left = Long.MAX_VALUE;
    private boolean begun;
    private boolean answered;
    private boolean returned;
    private Cleaner.@Nullable Cleanable lost;

    /** A thread, made only where a handler returns before it answers. */
    private static final class Lost {
        static final Cleaner CLEANER = Cleaner.create();

        /** Does not refer to the exchange: that would keep it. */
        static Runnable end(HttpGate.GatedExchange gated) {
            return () -> gated.done(SERVER_ERROR, 0);
        }
    }

    ExchangeCompletion(HttpExchange exchange, HttpGate.GatedExchange gated) {
        this.exchange = exchange;
        this.gated = gated;
    }

    /** Returns what the handler gets in place of the server's exchange; to be called once. */
    HttpExchange followed() {
        HttpExchange followed = exchange instanceof HttpsExchange secure
                ? new TrackedSecureExchange(secure, this)
                : new TrackedExchange(exchange, this);
        exchange.setStreams(null, new Body(exchange.getResponseBody(), followed));
        return followed;
    }

    /** The handler returned; it may still answer, unless a filter in front of the gate did so. */
    void returned(HttpExchange followed) {
        boolean hasStatus = exchange.getResponseCode() > 0;
        synchronized (this) {
            returned = true;
            // an outer filter writes to the server's exchange: nothing here would report the end of its answer
            answered |= hasStatus && !begun;
            if (!answered) {
                lost = Lost.CLEANER.register(followed, Lost.end(gated));
                return;
            }
        }
        end();
    }

    void sendResponseHeaders(int status, long length) throws IOException {
        synchronized (this) {
            begun = true;
        }
        exchange.sendResponseHeaders(status, length);
        // the server completes these at once
        boolean whole = length < 0
                || status < FIRST_WITH_BODY
                || status == NO_CONTENT
                || status == NOT_MODIFIED
                || exchange.getRequestMethod().equals("HEAD");
        if (whole) {
            answered();
        } else if (length > 0) {
            synchronized (this) {
                left = length;
            }
        }
    }

    void close() {
        try {
            exchange.close();
        } finally {
            answered();
        }
    }

    private void written(long bytes) {
        synchronized (this) {
            left -= bytes;
            if (left > 0) {
                return;
            }
        }
        answered();
    }

    private void answered() {
        synchronized (this) {
            answered = true;
            if (!returned) {
                return;
            }
        }
        end();
    }

    private void end() {
        int status = exchange.getResponseCode();
        gated.done(status > 0 ? status : SERVER_ERROR, GateHttpFilter.bytes(exchange));
        Cleaner.Cleanable registered;
        synchronized (this) {
            registered = lost;
        }
        if (registered != null) {
            registered.clean();
        }
    }

    /** The response's body; what the server closes with the exchange, too. */
    private final class Body extends FilterOutputStream {
        /** Who keeps only the body has not lost the exchange. */
        @SuppressWarnings({"unused", "UnusedVariable", "FieldCanBeLocal"})
        private final HttpExchange followed;

        Body(OutputStream to, HttpExchange followed) {
            super(to);
            this.followed = followed;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            written(1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            written(length);
        }

        @Override
        public void close() throws IOException {
            try {
                out.close();
            } finally {
                answered();
            }
        }
    }
}

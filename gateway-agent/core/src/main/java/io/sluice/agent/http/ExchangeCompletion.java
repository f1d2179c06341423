package io.sluice.agent.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * Detects the end of an exchange of the JDK's server, which has no listener for it: a handler may return and answer later from another thread.
 * An exchange ends when its handler has returned and its response is complete: sent without a body, written to its length, closed, or
 * sent by a filter in front of the gate. An exchange that its handler loses without an answer ends when it is garbage collected, so that it
 * does not hold a permit for ever. Thread-safe.
 */
final class ExchangeCompletion {
    private static final int FIRST_WITH_BODY = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    /** The status that is logged for an exchange that ends without an answer. */
    private static final int SERVER_ERROR = 500;

    private final HttpExchange exchange;
    private final HttpGate.GatedExchange gated;
    private long left = Long.MAX_VALUE;
    private boolean begun;
    private boolean answered;
    private boolean returned;
    private Cleaner.@Nullable Cleanable lost;

    /** The cleaner's thread is started only when a handler returns before it answers. */
    private static final class Lost {
        static final Cleaner CLEANER = Cleaner.create();

        /** Must not refer to the exchange, which could never be collected then. */
        static Runnable end(HttpGate.GatedExchange gated) {
            return () -> gated.done(SERVER_ERROR, 0);
        }
    }

    ExchangeCompletion(HttpExchange exchange, HttpGate.GatedExchange gated) {
        this.exchange = exchange;
        this.gated = gated;
    }

    /** Returns the exchange to pass to the handler. To be called once. */
    HttpExchange followed() {
        HttpExchange followed = exchange instanceof HttpsExchange secure
                ? new TrackedSecureExchange(secure, this)
                : new TrackedExchange(exchange, this);
        exchange.setStreams(null, new Body(exchange.getResponseBody(), followed));
        return followed;
    }

    /** Called when the handler has returned. It may still answer, unless a filter in front of the gate has. */
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
        // the server completes these responses at once
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

    /** Reports the end of the response body, also when the server closes it with the exchange. */
    private final class Body extends FilterOutputStream {
        /** Keeps the exchange reachable for handlers that hold only the body. */
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

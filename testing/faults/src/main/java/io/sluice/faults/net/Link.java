package io.sluice.faults.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One connection through a proxy: two threads, a direction each. */
final class Link {
    private static final int PIECE = 16 << 10;

    private final Socket client;
    private final Socket target;
    private final Consumer<Link> onEnd;
    private TcpProxy.Mode mode = TcpProxy.Mode.PASS;
    private boolean ended;

    Link(Socket client, Socket target, Consumer<Link> onEnd) throws IOException {
        this.client = client;
        this.target = target;
        this.onEnd = onEnd;
        client.setTcpNoDelay(true);
        target.setTcpNoDelay(true);
    }

    void start() {
        thread("to", () -> pump(client, target, false)).start();
        thread("from", () -> pump(target, client, true)).start();
    }

    private Thread thread(String direction, Runnable pump) {
        Thread thread = new Thread(pump, "proxy-link-" + direction + "-" + target.getPort());
        thread.setDaemon(true);
        return thread;
    }

    synchronized void mode(TcpProxy.Mode next) {
        mode = next;
        notifyAll();
        if (next.kind() == TcpProxy.Kind.RESET) {
            end();
        } else if (next.kind() == TcpProxy.Kind.HALF_CLOSE) {
            try {
                client.shutdownOutput();
            } catch (IOException closed) {
                end();
            }
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] piece = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                TcpProxy.Mode now = awaitPassing();
                hold(now, read);
                if (!answers || (now.kind() != TcpProxy.Kind.MUTE && !client.isOutputShutdown())) {
                    out.write(piece, 0, read);
                }
            }
            awaitPassing();
            if (!to.isOutputShutdown()) {
                to.shutdownOutput();
            }
            if (from.isOutputShutdown()) {
                end();
            }
        } catch (IOException broken) {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized TcpProxy.Mode awaitPassing() throws InterruptedException {
        while (mode.kind() == TcpProxy.Kind.BLACKHOLE) {
            wait();
        }
        return mode;
    }

    private static void hold(TcpProxy.Mode mode, int bytes) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(mode.delayMillis());
        if (mode.bytesPerSecond() < Long.MAX_VALUE) {
            nanos += TimeUnit.SECONDS.toNanos(bytes) / mode.bytesPerSecond();
        }
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private synchronized void end() {
        if (!ended) {
            ended = true;
            try {
                TcpProxy.reset(client);
                TcpProxy.reset(target);
            } catch (IOException gone) {
                // that is what was wanted
            }
            onEnd.accept(this);
        }
    }
}

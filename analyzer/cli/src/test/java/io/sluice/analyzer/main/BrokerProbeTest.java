package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BrokerProbeTest {
    private final StopSignal signal = new StopSignal();
    private final int port = FreePort.next();

    @Test
    void await_nothingListensUntilABrokerStarts_returnsTrue() throws Exception {
        CompletableFuture<Boolean> answered = waiting();

        try (ServerSocket broker = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            await().until(answered::isDone);
            assertThat(answered).isCompletedWithValue(true);
            assertThat(broker.isBound()).isTrue();
        }
    }

    @Test
    void await_stopSignal_returnsFalse() throws Exception {
        CompletableFuture<Boolean> answered = waiting();

        signal.tell();

        await().until(answered::isDone);
        assertThat(answered).isCompletedWithValue(false);
    }

    /** Waits on another thread, which pauses after it has found nothing once. */
    private CompletableFuture<Boolean> waiting() {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        answered.complete(BrokerProbe.await("127.0.0.1:" + port, signal));
                    } catch (InterruptedException e) {
                        answered.completeExceptionally(e);
                    }
                },
                "waiting");
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return answered;
    }
}

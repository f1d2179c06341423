package io.sluice.faults.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private ServerSocket echo;
    private TcpProxy proxy;

    @BeforeEach
    void anEchoBehindAProxy() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread server = new Thread(() -> {
            while (!echo.isClosed()) {
                try {
                    Socket socket = echo.accept();
                    Thread answers = new Thread(() -> answer(socket));
                    answers.setDaemon(true);
                    answers.start();
                } catch (IOException closed) {
                    return;
                }
            }
        });
        server.setDaemon(true);
        server.start();
        proxy = TcpProxy.start("127.0.0.1", echo.getLocalPort());
    }

    private static void answer(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException gone) {
            // as it is meant to go
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        echo.close();
    }

    private Socket connect() throws IOException {
        int port = Integer.parseInt(proxy.address().split(":", 2)[1]);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(120_000);
        return socket;
    }

    private static int exchange(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    @Test
    void passesBothWaysAndTheEndOfAConnectionToo() throws IOException {
        try (Socket socket = connect()) {
            assertThat(exchange(socket, 7)).isEqualTo(7);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        await().untilAsserted(() -> assertThat(proxy.connections()).isZero());
    }

    @Test
    void aBlackHoleSwallowsNothingItOnlyHolds() throws IOException {
        try (Socket before = connect()) {
            exchange(before, 1);
            proxy.mode(TcpProxy.Mode.BLACKHOLE);
            try (Socket during = connect()) {
                for (Socket socket : new Socket[] {before, during}) {
                    socket.setSoTimeout(200);
                    assertThatThrownBy(() -> exchange(socket, 2)).isInstanceOf(SocketTimeoutException.class);
                    socket.setSoTimeout(120_000);
                }

                proxy.mode(TcpProxy.Mode.PASS);

                assertThat(before.getInputStream().read()).isEqualTo(2);
                assertThat(during.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @Test
    void aResetIsOneForOpenConnectionsAndForNewOnes() throws IOException {
        try (Socket before = connect()) {
            exchange(before, 1);
            proxy.mode(TcpProxy.Mode.RESET);

            assertThatThrownBy(() -> before.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> exchange(connect(), 1)).isInstanceOf(SocketException.class);
        }

        proxy.mode(TcpProxy.Mode.PASS);
        try (Socket after = connect()) {
            assertThat(exchange(after, 3)).isEqualTo(3);
        }
    }

    @Test
    void aHalfClosedConnectionTakesBytesAndAnswersNone() throws IOException {
        try (Socket socket = connect()) {
            exchange(socket, 1);
            proxy.mode(TcpProxy.Mode.HALF_CLOSE);

            assertThat(exchange(socket, 2)).isEqualTo(-1);
        }
    }

    @Test
    void aDelayHoldsEachPiece() throws IOException {
        try (Socket socket = connect()) {
            proxy.mode(TcpProxy.Mode.delay(100));
            long begin = System.nanoTime();

            assertThat(exchange(socket, 1)).isEqualTo(1);

            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    @Test
    void aThrottleLetsNoMoreThroughThanItSays() throws IOException {
        try (Socket socket = connect()) {
            proxy.mode(TcpProxy.Mode.throttle(100_000));
            byte[] sent = new byte[50_000];
            long begin = System.nanoTime();
            socket.getOutputStream().write(sent);
            int read = 0;
            while (read < sent.length) {
                read += socket.getInputStream().read(sent, 0, sent.length - read);
            }

            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    void whereNobodyListensBehindItConnectionsAreReset() throws IOException {
        // bound but not listening: a closed port could be taken by another process, or by the proxy's own
        // end of the connection
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            proxy.close();
            proxy = TcpProxy.start("127.0.0.1", bound.getLocalPort());

            assertThatThrownBy(() -> exchange(connect(), 1)).isInstanceOf(SocketException.class);
        }
    }
}

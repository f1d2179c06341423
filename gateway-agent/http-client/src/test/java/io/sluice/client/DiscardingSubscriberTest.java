package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that promises a body and never sends it. */
@Timeout(300)
final class DiscardingSubscriberTest {

    @Test
    void aBodyThatNobodyWillSeeIsNotWaitedForWhenItDoesNotCome() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            answers(
                    server,
                    "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 10\r\n\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            PatientHttpClient client = PatientHttpClient.over(
                    HttpClient.newHttpClient(),
                    RetryPolicy.builder().within(Duration.ofMinutes(1)).build());
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"))
                    .build();

            CompletableFuture<HttpResponse<String>> call = client.sendAsync(request, BodyHandlers.ofString());

            assertThat(call.get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        }
    }

    /** Each on a connection of its own, and none is closed before the last was written. */
    private static void answers(ServerSocket server, String... answers) {
        Thread serving = new Thread(() -> {
            List<Socket> open = new ArrayList<>();
            try {
                for (String answer : answers) {
                    Socket socket = server.accept();
                    open.add(socket);
                    readHead(socket);
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                }
                for (Socket socket : open) {
                    socket.close();
                }
            } catch (IOException e) {
                // no more connections: the test fails at its own assertion
                open.clear();
            }
        });
        serving.setDaemon(true);
        serving.start();
    }

    private static void readHead(Socket socket) throws IOException {
        BufferedReader head =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        String line = head.readLine();
        while (line != null && !line.isEmpty()) {
            line = head.readLine();
        }
    }
}

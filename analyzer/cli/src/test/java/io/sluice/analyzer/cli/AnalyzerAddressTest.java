package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of analyzers as users type and copy them. */
class AnalyzerAddressTest {
    @ParameterizedTest
    @CsvSource({
        "sluice.internal:8480,             https://sluice.internal:8480/",
        "http://127.0.0.1:8480,            http://127.0.0.1:8480/",
        "https://sluice.internal/,         https://sluice.internal/",
        "https://sluice.internal/#/now,    https://sluice.internal/",
        "http://[::1]:8480/#/audit?q=acme, http://[::1]:8480/",
    })
    void address_asTypedOrCopiedFromABrowser_hasItsRoot(String text, String root) throws Exception {
        assertThat(AnalyzerAddress.of(text, "https").root()).hasToString(root);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://x:1",
                "no place",
                "https://user@sluice.internal",
                "https://sluice.internal/path",
                "",
                "x:y",
                "127.0.0.1:65536"
            })
    void address_ofSomethingElse_isRefusedWithWhatIsAllowed(String text) {
        assertThatThrownBy(() -> AnalyzerAddress.of(text, "http"))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("--at: found " + (text.isEmpty() ? "nothing" : text)
                        + ", allowed is HOST:PORT or https://HOST:PORT");
    }

    /** What other servers answer, an empty text for none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | it closed the connection without an answer to GET /api/v1/callers/top",
                "SSH-2.0-OpenSSH_9.2 | its answer is not HTTP; asked was GET /api/v1/callers/top",
                "-ERR unknown command | its answer is not HTTP; asked was GET /api/v1/callers/top",
                "HTTP/1.1 404 Not Found | its answer to GET /api/v1/callers/top has status 404 and is no JSON",
                "HTTP/1.1 200 OK | its answer to GET /api/v1/callers/top has status 200 and is no JSON",
            })
    void serverOfAnotherKind_isNamedWithWhatWasAskedAndWhatIsExpected(String firstLine, String reason)
            throws Exception {
        CommandResult result = ask(firstLine.isEmpty() ? "" : firstLine + "\r\nConnection: close\r\n\r\n");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().replaceAll("127.0.0.1:\\d+", "AT").lines())
                .containsExactly(
                        "no analyzer answers at AT (" + reason + ")",
                        "--at takes the address that an analyzer serves HTTP on, http.bind and http.port in its"
                                + " settings; Kafka and gateways have others. If it has TLS, let the address begin"
                                + " with https://");
    }

    /** The server of an analyzer refuses some requests before the API has seen them. */
    @Test
    void analyzerThatIsBusy_isNotTakenForAnotherServer() throws Exception {
        String body = "{\"title\":\"too many requests at once\",\"status\":503}";

        CommandResult result = ask("HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n"
                + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body);

        assertThat(result.err())
                .containsPattern("the analyzer at 127.0.0.1:\\d+ answered 503 too many requests at once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"401 Unauthorized", "502 Bad Gateway"})
    void proxyThatAnswersForAnAnalyzer_isNotTakenForAnotherServer(String status) throws Exception {
        CommandResult result = ask(
                "HTTP/1.1 " + status + "\r\nContent-Type: text/html\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

        assertThat(result.err()).containsPattern("the analyzer at 127.0.0.1:\\d+ answered " + status.substring(0, 3));
    }

    private static CommandResult ask(String answer) throws Exception {
        CommandResult result;
        CompletableFuture<Void> answers;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answers = CompletableFuture.runAsync(() -> answer(server, answer));
            result = CommandResult.run("callers", "top", "--at", "127.0.0.1:" + server.getLocalPort());
        }
        answers.get(2, TimeUnit.MINUTES);
        return result;
    }

    /** Answers until it is closed: the client repeats a request whose connection ends without a byte. */
    private static void answer(ServerSocket server, String answer) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                // closed with the request unread, a connection is reset and the answer may be lost
                if (client.getInputStream().read(new byte[8192]) > 0) {
                    client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                // closed: the loop ends
            }
        }
    }

    @Test
    void unanswered_hostIsUnknown_saysSo() throws Exception {
        ConnectException failure = new ConnectException();
        failure.initCause(new UnresolvedAddressException());

        assertThat(AnalyzerAddress.of("sluice.internal:8480", "http").unanswered(failure, "GET /api/v1/status"))
                .hasMessageStartingWith("no analyzer answers at sluice.internal:8480 (there is no such host)\n");
    }
}

package io.sluice.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.server.Responses;
import io.sluice.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class TlsTest {
    @TempDir
    static Path folder;

    private static TestCertificate server;
    private static TestCertificate other;
    private final AtomicLong nanos = new AtomicLong();

    @BeforeAll
    static void certificates() throws Exception {
        server = TestCertificate.create(folder, "server");
        other = TestCertificate.create(folder, "other");
    }

    private static HttpEndpoint open(Tls tls) throws IOException {
        return HttpEndpoint.open(
                "127.0.0.1",
                0,
                HttpEndpoint.Bounds.of(10),
                "tls-test",
                tls,
                (request, response, callback) ->
                        Responses.write(response, callback, 200, "text/plain", "ok".getBytes(StandardCharsets.UTF_8)));
    }

    private static String get(URI uri, Tls client) throws Exception {
        HttpClient http = HttpClient.newBuilder().sslContext(client.context()).build();
        return http.send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofMinutes(1))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static Tls trusting(Path authority) throws IOException {
        return Tls.of(null, null, authority);
    }

    @Test
    void clientThatTrustsTheCertificate_isAnswered_othersRefuse() throws Exception {
        try (HttpEndpoint endpoint = open(Tls.of(server.certificate(), server.key(), null))) {
            assertThat(endpoint.uri().getScheme()).isEqualTo("https");
            assertThat(get(endpoint.uri(), trusting(server.certificate()))).isEqualTo("ok");
            assertThatThrownBy(() -> get(endpoint.uri(), trusting(other.certificate())))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> get(endpoint.uri(), Tls.of(null, null, null)))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void certificateOfAnotherHost_isRefused() throws Exception {
        TestCertificate elsewhere = TestCertificate.create(folder, "elsewhere", "SAN=dns:elsewhere.example");
        try (HttpEndpoint endpoint = open(Tls.of(elsewhere.certificate(), elsewhere.key(), null))) {
            assertThatThrownBy(() -> get(endpoint.uri(), trusting(elsewhere.certificate())))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("127.0.0.1");
        }
    }

    @Test
    void clearText_isNotAnswered() throws Exception {
        try (HttpEndpoint endpoint = open(Tls.of(server.certificate(), server.key(), null));
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(), endpoint.uri().getPort())) {
            client.setSoTimeout(60_000);
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("ok");
        }
    }

    @Test
    void clientAuthorities_onlyTheirClientsAreAnswered() throws Exception {
        try (HttpEndpoint endpoint = open(Tls.of(server.certificate(), server.key(), other.certificate()))) {
            assertThat(get(endpoint.uri(), Tls.of(other.certificate(), other.key(), server.certificate())))
                    .isEqualTo("ok");
            assertThatThrownBy(() -> get(endpoint.uri(), trusting(server.certificate())))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(
                            () -> get(endpoint.uri(), Tls.of(server.certificate(), server.key(), server.certificate())))
                    .isInstanceOf(IOException.class);
        }
    }

    /** A client resumes its session where the server lets it, and then shows no certificate. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void removedAuthority_endsAlsoTheSessionsOfItsClients(String protocol) throws Exception {
        Path authorities = Files.copy(other.certificate(), folder.resolve(protocol + ".crt"));
        Tls tls = Tls.of(server.certificate(), server.key(), authorities, nanos::get);
        SSLContext client =
                Tls.of(other.certificate(), other.key(), server.certificate()).context();
        try (HttpEndpoint endpoint = open(tls)) {
            int port = endpoint.uri().getPort();
            assertThat(ask(client, protocol, port)).contains("200").endsWith("ok");
            assertThat(ask(client, protocol, port)).contains("200").endsWith("ok");

            Files.copy(server.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(2_000_000_000L);
            assertThatThrownBy(() -> ask(client, protocol, port)).isInstanceOf(IOException.class);
        }
    }

    private static String ask(SSLContext client, String protocol, int port) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void changedFiles_applyToNewConnections_openOnesGoOn() throws Exception {
        Path certificate = Files.copy(server.certificate(), folder.resolve("changing.crt"));
        Path key = Files.copy(server.key(), folder.resolve("changing.key"));
        Tls tls = Tls.of(certificate, key, null, nanos::get);
        HttpClient kept = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting(server.certificate()).context())
                .build();
        try (HttpEndpoint endpoint = open(tls)) {
            HttpRequest request = HttpRequest.newBuilder(endpoint.uri()).build();
            assertThat(kept.send(request, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo("ok");

            // the certificate alone does not fit the key: the files of before stay
            Files.copy(other.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(2_000_000_000L);
            assertThat(get(endpoint.uri(), trusting(server.certificate()))).isEqualTo("ok");

            Files.copy(other.key(), key, StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(2_000_000_000L);
            assertThat(get(endpoint.uri(), trusting(other.certificate()))).isEqualTo("ok");
            assertThatThrownBy(() -> get(endpoint.uri(), trusting(server.certificate())))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThat(kept.send(request, HttpResponse.BodyHandlers.ofString()).body())
                    .as("over the connection of before")
                    .isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-----BEGIN RSA PRIVATE KEY-----x-----END RSA PRIVATE KEY----- | found RSA PRIVATE KEY, allowed is a PRIVATE KEY in PKCS #8",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----x-----END ENCRYPTED PRIVATE KEY----- | found ENCRYPTED PRIVATE KEY",
                "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY----- | found a PRIVATE KEY that cannot be read, allowed are RSA, EC and EdDSA",
                "nothing | found no PRIVATE KEY, allowed is a PRIVATE KEY in PKCS #8"
            })
    void keyThatCannotBeUsed_isNamedWithItsFile(String content, String problem) throws Exception {
        Path key = Files.writeString(folder.resolve("bad.key"), content);

        assertThatThrownBy(() -> Tls.of(server.certificate(), key, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bad.key: " + problem);
    }

    @Test
    void filesThatDoNotFit_areNamed() throws Exception {
        assertThatThrownBy(() -> Tls.of(server.certificate(), other.key(), null))
                .hasMessageContaining("other.key: found a key that is not the one of the first certificate in")
                .hasMessageContaining("server.crt");
        assertThatThrownBy(() -> Tls.of(server.key(), server.key(), null))
                .hasMessageContaining("server.key: found no CERTIFICATE");
        assertThatThrownBy(() -> trusting(server.key())).hasMessageContaining("server.key: found no CERTIFICATE");
        Path broken = Files.writeString(
                folder.resolve("broken.crt"), "-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----");
        assertThatThrownBy(() -> trusting(broken))
                .hasMessageContaining("broken.crt: found a CERTIFICATE that cannot be read");
        assertThatThrownBy(() -> trusting(folder.resolve("nowhere.crt"))).hasMessageContaining("nowhere.crt");
    }
}

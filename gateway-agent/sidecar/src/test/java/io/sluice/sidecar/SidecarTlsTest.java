package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.http.tls.Tls;
import io.sluice.settings.InvalidSettings;
import io.sluice.testing.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class SidecarTlsTest {
    @TempDir
    Path folder;

    private Sidecar open(TestCertificate certificate, String more) throws Exception {
        return Sidecars.open(
                folder,
                Sidecars.TWO_AT_ONCE,
                "",
                ", tls: { certificate: \"%s\", key: \"%s\" %s }"
                        .formatted(certificate.certificate(), certificate.key(), more));
    }

    @Test
    void bothServers_answerOverTlsOnly() throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "sidecar");
        try (Sidecar sidecar = open(certificate, "")) {
            assertThat(sidecar.http().getScheme()).isEqualTo("https");
            HttpClient http = HttpClient.newBuilder()
                    .sslContext(Tls.of(null, null, certificate.certificate()).context())
                    .build();
            HttpRequest livez = HttpRequest.newBuilder(URI.create(sidecar.http() + "/livez"))
                    .build();
            assertThat(http.send(livez, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);

            NettyChannelBuilder address = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort());
            assertThat(answer(address.sslContext(GrpcSslContexts.forClient()
                                    .trustManager(certificate.certificate().toFile())
                                    .build())
                            .build()))
                    .isEqualTo(RateLimitResponse.Code.OK);
            ManagedChannel clear = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                    .usePlaintext()
                    .build();
            assertThatThrownBy(() -> answer(clear))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("UNAVAILABLE");
        }
    }

    @Test
    void clientAuthorities_clientsNeedACertificate() throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "sidecar");
        TestCertificate client = TestCertificate.create(folder, "client");
        try (Sidecar sidecar = open(certificate, ", client-ca: \"" + client.certificate() + "\"")) {
            ManagedChannel known = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(certificate.certificate().toFile())
                            .keyManager(
                                    client.certificate().toFile(), client.key().toFile())
                            .build())
                    .build();
            assertThat(answer(known)).isEqualTo(RateLimitResponse.Code.OK);
            ManagedChannel unknown = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(certificate.certificate().toFile())
                            .build())
                    .build();
            assertThatThrownBy(() -> answer(unknown))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("UNAVAILABLE");
        }
    }

    @Test
    void certificateWithoutKey_isRefused() {
        assertThatThrownBy(() -> Sidecars.open(folder, Sidecars.TWO_AT_ONCE, "", ", tls: { certificate: a.crt }"))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("sidecar.tls.key: found nothing, allowed is the file with the key of");
    }

    private static RateLimitResponse.Code answer(ManagedChannel channel) {
        try {
            return RateLimitServiceGrpc.newBlockingStub(channel)
                    .shouldRateLimit(to("orders", descriptor("caller=acme")))
                    .getOverallCode();
        } finally {
            channel.shutdownNow();
        }
    }
}

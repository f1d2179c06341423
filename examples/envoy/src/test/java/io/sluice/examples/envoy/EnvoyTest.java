package io.sluice.examples.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthz;
import io.envoyproxy.envoy.extensions.filters.http.header_mutation.v3.HeaderMutation;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.contract.event.Identity;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import io.sluice.settings.SidecarSettings;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.Sidecar;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class EnvoyTest {
    private static final Path YAML = Path.of("../../examples/envoy/envoy.yaml");
    private static final Path SETTINGS = Path.of("../../examples/envoy/sluice.yml");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private enum Asking {
        EXT_AUTHZ_HTTP,
        EXT_AUTHZ_GRPC,
        RATE_LIMIT;

        private StandIn.Way as(StandIn envoy) {
            return switch (this) {
                case EXT_AUTHZ_HTTP -> envoy::overHttp;
                case EXT_AUTHZ_GRPC -> envoy::overGrpc;
                case RATE_LIMIT -> envoy::overRateLimit;
            };
        }
    }

    @Test
    void givenAnAuthorizationOverGrpcWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        givenEnvoysWayOfAskingWhenOneCallerCrowdsThenTheAnalyzerLocksItAndItsNeighboursPass(
                Asking.EXT_AUTHZ_GRPC, folder);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = "EXT_AUTHZ_GRPC", mode = EnumSource.Mode.EXCLUDE)
    void givenEnvoysWayOfAskingWhenOneCallerCrowdsThenTheAnalyzerLocksItAndItsNeighboursPass(
            Asking asking, @TempDir Path folder) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                Sidecar sidecar = Sidecar.open(settings(neighbourhood.bootstrap()))) {
            await().atMost(PATIENCE).until(sidecar::ready);
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                    .usePlaintext()
                    .build();
            try {
                StandIn.Way way = asking.as(new StandIn(EnvoyYaml.read(YAML), sidecar, channel));

                Crowd.Told told = Crowd.ask(
                        tenant -> {
                            int status = way.ask(tenant);
                            assertThat(status).isIn(StandIn.OK, 429);
                            return status == StandIn.OK;
                        },
                        PATIENCE);

                assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
                assertThat(told.noisyRejected()).isPositive();
                assertThat(told.neighboursAllowed()).isPositive();
                assertThat(told.neighboursRejected()).isZero();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    @Test
    void givenTheExampleThenItAsksWhereTheSidecarAnswersAndFailsOpen() throws Exception {
        EnvoyYaml yaml = EnvoyYaml.read(YAML);
        SidecarSettings sidecar = SluiceSettings.read(SETTINGS, Map.of()).sidecar();
        ExtAuthz http = yaml.filter("ext_authz_http", ExtAuthz.class);
        ExtAuthz grpc = yaml.filter("ext_authz_grpc", ExtAuthz.class);
        RateLimit limit = yaml.filter("rate_limit", RateLimit.class);

        assertThat(yaml.port(http.getHttpService().getServerUri().getCluster()))
                .isEqualTo(sidecar.http().port());
        assertThat(List.of(
                        yaml.port(grpc.getGrpcService().getEnvoyGrpc().getClusterName()),
                        yaml.port(limit.getRateLimitService()
                                .getGrpcService()
                                .getEnvoyGrpc()
                                .getClusterName())))
                .containsOnly(sidecar.grpc().port());
        assertThat(http.getFailureModeAllow() && grpc.getFailureModeAllow() && !limit.getFailureModeDeny())
                .isTrue();
        // what a client must not be able to say itself
        assertThat(http.getAllowedHeaders().getPatternsList())
                .noneMatch(allowed -> allowed.getExact().startsWith("x-sluice"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext_authz_http", "ext_authz_grpc", "rate_limit"})
    void theHeaderThatCountsAsAuthenticatedIsRemovedBeforeAnyOtherFilterReadsIt(String listener) throws Exception {
        SluiceSettings settings = SluiceSettings.read(SETTINGS, Map.of());
        List<String> removed = EnvoyYaml.read(YAML)
                .firstFilter(listener, HeaderMutation.class)
                .getMutations()
                .getRequestMutationsList()
                .stream()
                .map(mutation -> mutation.getRemove())
                .toList();

        assertThat(settings.agent().identity()).isEqualTo(Identity.AUTHENTICATED);
        assertThat(removed).contains(settings.agent().caller().substring("header:".length()));
    }

    private static SluiceSettings settings(String bootstrap) throws Exception {
        return SluiceSettings.read(
                SETTINGS,
                Map.of(
                        "SLUICE_KAFKA_BOOTSTRAP_SERVERS", bootstrap,
                        "SLUICE_SIDECAR_HTTP", "127.0.0.1:0",
                        "SLUICE_SIDECAR_GRPC", "127.0.0.1:0"));
    }
}

package io.sluice.examples.envoy;

import com.google.gson.Gson;
import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.bootstrap.v3.Bootstrap;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthz;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.header_mutation.v3.HeaderMutation;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The example's envoy.yaml as Envoy reads it: into its own protobuf classes, where no unknown field has a place. */
final class EnvoyYaml {
    private final Bootstrap bootstrap;

    private EnvoyYaml(Bootstrap bootstrap) {
        this.bootstrap = bootstrap;
    }

    static EnvoyYaml read(Path file) throws IOException {
        Object yaml = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
        TypeRegistry types = TypeRegistry.newBuilder()
                .add(HttpConnectionManager.getDescriptor())
                .add(ExtAuthz.getDescriptor())
                .add(ExtAuthzPerRoute.getDescriptor())
                .add(RateLimit.getDescriptor())
                .add(HeaderMutation.getDescriptor())
                .add(Router.getDescriptor())
                .add(HttpProtocolOptions.getDescriptor())
                .build();
        Bootstrap.Builder bootstrap = Bootstrap.newBuilder();
        JsonFormat.parser().usingTypeRegistry(types).merge(new Gson().toJson(yaml), bootstrap);
        return new EnvoyYaml(bootstrap.build());
    }

    /** The HTTP filter of a listener that is of this type. */
    <T extends Message> T filter(String listener, Class<T> type) throws IOException {
        for (HttpFilter filter : manager(listener).getHttpFiltersList()) {
            if (filter.getTypedConfig().is(type)) {
                return filter.getTypedConfig().unpack(type);
            }
        }
        throw new IOException(listener + " has no " + type.getSimpleName());
    }

    /** The first HTTP filter of a listener. */
    <T extends Message> T firstFilter(String listener, Class<T> type) throws IOException {
        return manager(listener).getHttpFilters(0).getTypedConfig().unpack(type);
    }

    /** What a listener's only route says of a filter. */
    <T extends Message> T perRoute(String listener, String filter, Class<T> type) throws IOException {
        Any config = route(listener).getTypedPerFilterConfigOrThrow(filter);
        return config.unpack(type);
    }

    Route route(String listener) throws IOException {
        return manager(listener).getRouteConfig().getVirtualHosts(0).getRoutes(0);
    }

    private HttpConnectionManager manager(String listener) throws IOException {
        Listener found = bootstrap.getStaticResources().getListenersList().stream()
                .filter(each -> each.getName().equals(listener))
                .findFirst()
                .orElseThrow();
        return found.getFilterChains(0).getFilters(0).getTypedConfig().unpack(HttpConnectionManager.class);
    }

    /** The port of a cluster's only endpoint. */
    int port(String cluster) {
        Cluster found = bootstrap.getStaticResources().getClustersList().stream()
                .filter(each -> each.getName().equals(cluster))
                .findFirst()
                .orElseThrow();
        return found.getLoadAssignment()
                .getEndpoints(0)
                .getLbEndpoints(0)
                .getEndpoint()
                .getAddress()
                .getSocketAddress()
                .getPortValue();
    }
}

package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext;
import io.sluice.agent.Request;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RouteNormalizer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeReaderTest {
    private static final String PROXY = "10.0.0.7";

    @ParameterizedTest
    @ValueSource(strings = {"x", "unknown, 10.1.2.3", "203.0.113.9,"})
    void malformedForwardedFor_isCheckedAsUnknown_sinceARefusalWouldLetTheClientPass(String forwarded)
            throws Exception {
        Request request = reader().read(attributes(PROXY)
                .setRequest(header("x-forwarded-for", forwarded))
                .build());

        assertThat(request.caller()).isEqualTo("unknown");
        assertThat(request.identity()).isEqualTo(Identity.CLAIMED);
    }

    @Test
    void noAddressAtAll_isRefused() {
        assertThatThrownBy(() -> reader().read(AttributeContext.getDefaultInstance()))
                .isInstanceOf(UnreadableCheckException.class)
                .hasMessageStartingWith("nothing names the caller");
    }

    @Test
    void service_isNoneOfTheLabels() throws Exception {
        AttributeContext.Builder full = attributes("203.0.113.9").putContextExtensions("service", "stock");
        for (int i = 0; i < RequestEvent.MAX_LABELS; i++) {
            full.putContextExtensions("label" + i, "x");
        }

        assertThat(reader().read(full.build()).service()).isEqualTo("stock");
        assertThatThrownBy(() ->
                        reader().read(full.putContextExtensions("more", "x").build()))
                .isInstanceOf(UnreadableCheckException.class)
                .hasMessage("more than 64 context_extensions besides service");
    }

    @Test
    void emptyContextExtensions_areAbsent() throws Exception {
        Request request = reader().read(attributes("203.0.113.9")
                .putContextExtensions("service", "")
                .putContextExtensions("plan", "")
                .build());

        // of which the agent makes its own
        assertThat(request.service()).isNull();
        assertThat(request.labels()).isEmpty();
    }

    private static AttributeReader reader() {
        CallerExtraction caller = CallerExtraction.of("address", null, List.of("10.0.0.0/8"), 64);
        return new AttributeReader(caller, new RouteNormalizer(List.of()), "orders");
    }

    private static AttributeContext.Builder attributes(String peer) {
        return AttributeContext.newBuilder()
                .setSource(AttributeContext.Peer.newBuilder()
                        .setAddress(Address.newBuilder()
                                .setSocketAddress(SocketAddress.newBuilder().setAddress(peer))));
    }

    private static AttributeContext.Request.Builder header(String name, String value) {
        return AttributeContext.Request.newBuilder()
                .setHttp(AttributeContext.HttpRequest.newBuilder().putHeaders(name, value));
    }
}

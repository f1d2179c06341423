package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateServletFilter;
import io.sluice.contract.event.RouteNormalizer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.filter.ForwardedHeaderFilter;

/** Behind the filter that {@code server.forward-headers-strategy: framework} puts in front of all others. */
final class ForwardedHeadersTest {
    private final GateAgent agent = GateAgent.builder()
            .bootstrap("127.0.0.1:1")
            .service("orders")
            .policies(
                    "{\"policies\":[{\"name\":\"one\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}"
                            .getBytes(StandardCharsets.UTF_8))
            .build();
    private final GateServletFilter gate = new GateServletFilter(
            agent, CallerExtraction.of("address", null, List.of("127.0.0.1/32"), 64), new RouteNormalizer(List.of()));

    @AfterEach
    void close() {
        agent.close();
    }

    private int status(String forwardedFor) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/orders/1");
        request.setRemoteAddr("127.0.0.1");
        request.addHeader("X-Forwarded-For", forwardedFor);
        MockHttpServletResponse response = new MockHttpServletResponse();
        new ForwardedHeaderFilter()
                .doFilter(
                        request,
                        response,
                        (wrapped, answered) -> gate.doFilter(wrapped, answered, (served, answer) -> {}));
        return response.getStatus();
    }

    @Test
    void givenATrustedProxyWhenAClientInventsAddressesThenItIsCountedByTheOneThatTheProxySaw() throws Exception {
        assertThat(status("6.6.6.1, 198.51.100.7")).isEqualTo(200);
        assertThat(status("6.6.6.2, 198.51.100.7")).isEqualTo(429);
        assertThat(status("6.6.6.2, 198.51.100.8")).isEqualTo(200);
    }
}

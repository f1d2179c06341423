package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.GateAgent;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Moments that no container can be brought to on purpose: a client that is gone, a request that ended meanwhile. */
final class GateServletFilterTest {
    private final GateAgent agent = GateAgent.builder()
            .bootstrap("127.0.0.1:1")
            .service("orders")
            .policies("{\"policies\":[{\"name\":\"all\",\"per\":[],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}"
                    .getBytes(StandardCharsets.UTF_8))
            .build();
    private final GateServletFilter filter = new GateServletFilter(agent);
    private final FilterChain serves = (request, response) -> {};

    @AfterEach
    void close() {
        agent.close();
    }

    private static <T> T container(Class<T> type, Map<String, Object> answers) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object answer = answers.get(method.getName());
            if (answer instanceof Throwable failure) {
                throw failure;
            }
            if (answer != null || !method.getReturnType().isPrimitive()) {
                return answer;
            }
            if (method.getReturnType() == boolean.class) {
                return false;
            }
            return method.getReturnType() == int.class ? 200 : null;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static HttpServletRequest request(Map<String, Object> more) {
        Map<String, Object> answers = new HashMap<>(Map.of(
                "getRemoteAddr", "203.0.113.9",
                "getRequestURI", "/orders/1",
                "getMethod", "GET",
                "getHeaders", Collections.emptyEnumeration()));
        answers.putAll(more);
        return container(HttpServletRequest.class, answers);
    }

    @Test
    void aRejectedClientThatIsGoneIsLoggedAllTheSame() throws Exception {
        HttpServletResponse gone =
                container(HttpServletResponse.class, Map.of("getOutputStream", new IOException("broken pipe")));
        filter.doFilter(request(Map.of()), gone, serves);
        assertThatThrownBy(() -> filter.doFilter(request(Map.of()), gone, serves))
                .hasMessage("broken pipe");
        assertThat(agent.status().rejections()).isEqualTo(1);
        assertThat(agent.status().logged()).isEqualTo(2);
    }

    @Test
    void anAsynchronousRequestThatEndedMeanwhileDoesNotFail() throws Exception {
        HttpServletRequest ended =
                request(Map.of("isAsyncStarted", true, "getAsyncContext", new IllegalStateException("completed")));
        filter.doFilter(ended, container(HttpServletResponse.class, Map.of()), serves);
        assertThat(agent.status().logged()).isEqualTo(1);
    }
}

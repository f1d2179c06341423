package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.settings.HttpSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final String TOKEN = "0123456789abcdef";

    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private HttpServer anyMember;
    private String address;

    @BeforeEach
    void start() throws Exception {
        anyMember = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        anyMember.createContext("/", exchange -> {
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        anyMember.start();
        address = "127.0.0.1:" + anyMember.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        anyMember.stop(0);
    }

    private void ask(String token) throws Exception {
        Peers peers = new Peers(Peers.Access.of(new HttpSettings("127.0.0.1", 0), token, Duration.ofMinutes(2)));
        peers.ask(address, "top?limit=5", answer -> {});
        peers.await();
        assertThat(peers.missing()).isEmpty();
    }

    @Test
    void ask_addressOfAnyGroupMember_neverReceivesTheToken() throws Exception {
        ask(TOKEN);

        assertThat(authorizations).singleElement().asString().doesNotContain(TOKEN);
    }

    @Test
    void ask_withoutAToken_sendsNoAuthorization() throws Exception {
        ask(null);

        assertThat(authorizations).containsExactly("null");
    }
}

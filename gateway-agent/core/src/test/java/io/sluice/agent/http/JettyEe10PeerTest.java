package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jetty 12 with Servlet 6.0, as Spring Boot 3.5 has it. */
@Tag("server")
final class JettyEe10PeerTest {
    @Test
    void forwardedRequestCustomizer_peerIsThatOfTheConnection() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .addCustomizer(new ForwardedRequestCustomizer());
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Peers()), "/*");
        server.setHandler(context);
        server.start();
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/"))
                    .header("X-Forwarded-For", "203.0.113.9, 198.51.100.7")
                    .build();
            String body = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            assertThat(body).isEqualTo("203.0.113.9 127.0.0.1 [203.0.113.9, 198.51.100.7]");
        } finally {
            server.stop();
        }
    }

    /** Answers with the address that the container says, the one of the connection, and the forwarded header. */
    private static final class Peers extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient SocketPeer peer = new SocketPeer();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream()
                    .print(request.getRemoteAddr() + " " + peer.address(request) + " " + peer.forwarded(request));
        }
    }
}

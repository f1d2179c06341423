package io.sluice.agent.http;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.contract.event.RouteNormalizer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The same small service behind each of the filters, on a real server. */
enum Door {
    JDK,
    SERVLET;

    interface Running {
        int port();

        void stop() throws Exception;
    }

    Running open(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
            throws Exception {
        return this == JDK ? jdk(agent, caller, routes, signals) : jetty(agent, caller, routes, signals);
    }

    private static Running jdk(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        server.setExecutor(threads);
        HttpContext context = server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/fails")) {
                throw new IOException("the service failed");
            }
            byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        context.getFilters().add(new GateHttpFilter(agent, caller, routes, signals));
        server.start();
        return new Running() {
            @Override
            public int port() {
                return server.getAddress().getPort();
            }

            @Override
            public void stop() {
                server.stop(0);
                threads.shutdownNow();
            }
        };
    }

    private static Running jetty(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals)
            throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        FilterHolder filter = new FilterHolder(new GateServletFilter(agent, caller, routes, signals));
        filter.setAsyncSupported(true);
        context.addFilter(filter, "/*", EnumSet.allOf(DispatcherType.class));
        ServletHolder servlet = new ServletHolder(new Hello());
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/*");
        server.setHandler(context);
        server.start();
        return new Running() {
            @Override
            public int port() {
                return connector.getLocalPort();
            }

            @Override
            public void stop() throws Exception {
                server.stop();
            }
        };
    }

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/fails")) {
                throw new IOException("the service failed");
            }
            if (request.getRequestURI().equals("/async")) {
                AsyncContext later = request.startAsync();
                later.start(() -> {
                    try {
                        response.getOutputStream().print("later");
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    } finally {
                        later.complete();
                    }
                });
                return;
            }
            response.setContentLength(5);
            response.getOutputStream().print("hello");
        }
    }
}

package io.sluice.examples.servlet;

import io.sluice.agent.GateAgent;
import jakarta.servlet.DispatcherType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;

/** The service on an embedded Jetty 12. */
public final class OrdersOnJetty {
    private OrdersOnJetty() {}

    /** Serves on port 8081 until it is ended; an argument says where Kafka is, else it is {@code 127.0.0.1:9092}. */
    public static void main(String[] args) throws Exception {
        String kafka = args.length > 0 ? args[0] : "127.0.0.1:9092";
        try (GateAgent agent =
                GateAgent.builder().bootstrap(kafka).service("orders").build()) {
            Server server = start(agent, 8081);
            System.out.println("http://127.0.0.1:8081/orders");
            server.join();
        }
    }

    static Server start(GateAgent agent, int port) throws Exception {
        ServletContextHandler context = new ServletContextHandler();
        FilterHolder gate = new FilterHolder(Gate.of(agent));
        gate.setAsyncSupported(true);
        context.addFilter(gate, "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new Orders(), "/orders/*");
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        server.setHandler(context);
        server.setStopAtShutdown(true);
        server.start();
        return server;
    }
}

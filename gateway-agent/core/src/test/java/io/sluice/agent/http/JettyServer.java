package io.sluice.agent.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty 12, embedded; an answer 404 has a page of its own. */
record JettyServer(Server server, ServerConnector connector) implements Door.Running {

    static JettyServer start(Filter gate, HttpServlet servlet) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        FilterHolder filter = new FilterHolder(gate);
        filter.setAsyncSupported(true);
        context.addFilter(filter, "/*", EnumSet.allOf(DispatcherType.class));
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/*");
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(404, "/sorry");
        context.setErrorHandler(errors);
        server.setHandler(context);
        server.start();
        return new JettyServer(server, connector);
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void believeForwardedHeaders() {
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .addCustomizer(new ForwardedRequestCustomizer());
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }
}

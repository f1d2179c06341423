package io.sluice.agent.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Ends a request in each of the ways that servlets know; the path says which. */
final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        // an include leaves the request's own path as it was
        Object included = request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI);
        switch (included == null ? request.getRequestURI() : included.toString()) {
            case "/fails" -> throw new IOException("the service failed");
            case "/fails-servlet" -> throw new ServletException("the service failed");
            case "/fails-runtime" -> throw new IllegalStateException("the service failed");
            case "/created" -> response.setStatus(201);
            case "/not-found" -> response.sendError(404);
            case "/busy" -> response.sendError(503);
            case "/sorry" -> response.getOutputStream().print("sorry");
            case "/forward" -> request.getRequestDispatcher("/inside").forward(request, response);
            case "/include" -> request.getRequestDispatcher("/created").include(request, response);
            case "/async" ->
                later(request, context -> {
                    response.getOutputStream().print("later");
                    context.complete();
                });
            case "/async-created" ->
                later(request, context -> {
                    response.setStatus(201);
                    context.complete();
                });
            case "/async-busy" ->
                later(request, context -> {
                    response.sendError(503);
                    context.complete();
                });
            case "/async-dispatch" -> later(request, context -> context.dispatch("/created"));
            case "/async-again" -> later(request, context -> context.dispatch("/async-created"));
            case "/async-fails" -> later(request, context -> context.dispatch("/fails"));
            case "/async-timeout" -> request.startAsync().setTimeout(50);
            default -> {
                response.setContentLength(5);
                response.getOutputStream().print("hello");
            }
        }
    }

    private interface Rest {
        void serve(AsyncContext context) throws IOException;
    }

    private static void later(HttpServletRequest request, Rest rest) {
        AsyncContext context = request.startAsync();
        // a container ends it after 30 s by itself
        context.setTimeout(0);
        context.start(() -> {
            try {
                rest.serve(context);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}

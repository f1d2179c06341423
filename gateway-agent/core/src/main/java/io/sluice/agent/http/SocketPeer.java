package io.sluice.agent.http;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the address of the connection that a servlet request came in through. Tomcat's {@code RemoteIpValve} and Jetty's
 * {@code ForwardedRequestCustomizer} make {@code getRemoteAddr()} return the value of a header, whatever wrote that header. The Servlet API has
 * no other method, so this calls those of Tomcat 10 and 11 and of Jetty 12 (ee10, ee11) through method handles. In any other container the
 * address is {@code getRemoteAddr()}. Thread-safe.
 */
final class SocketPeer {
    private static final Logger LOG = LoggerFactory.getLogger(SocketPeer.class);
    private static final String TOMCAT = "org.apache.catalina.connector.";
    private static final Reader UNKNOWN = new Reader(null, false);

    // by class of request, of which a container has few; per filter, so that a container never keeps a redeployed
    // service's classes
    private final Map<Class<?>, Reader> readers = new ConcurrentHashMap<>();

    /**
     * How to read a class of request.
     *
     * @param handle from the request to its peer, as a text or as a socket address; {@code null}: unknown
     * @param takesHeader whether what replaces the address also takes it off the end of {@code X-Forwarded-For}
     */
    private record Reader(@Nullable MethodHandle handle, boolean takesHeader) {
        String peer(HttpServletRequest received) {
            String address = handle == null ? received.getRemoteAddr() : text(call(handle, received));
            return address == null ? "" : address;
        }

        private static Object call(MethodHandle handle, HttpServletRequest received) {
            try {
                return (Object) handle.invokeExact(received);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                // invokeExact declares it; the methods behind the handles declare no checked exception
                throw new IllegalStateException(e);
            }
        }

        private static @Nullable String text(@Nullable Object peer) {
            if (peer instanceof InetSocketAddress inet && inet.getAddress() != null) {
                return inet.getAddress().getHostAddress();
            }
            return peer instanceof String text ? text : null;
        }
    }

    /**
     * Returns the address of the connection's other end; empty when it has none.
     *
     * @param received the container's own request, without wrappers
     */
    String address(HttpServletRequest received) {
        return reader(received).peer(received);
    }

    /** Returns the lines of {@code X-Forwarded-For} as they came in through the connection, as far as the container shows them. */
    List<String> forwarded(HttpServletRequest received) {
        List<String> lines = Collections.list(received.getHeaders(CallerExtraction.FORWARDED));
        Reader reader = reader(received);
        String replaced = received.getRemoteAddr();
        if (reader.takesHeader && replaced != null && !replaced.equals(reader.peer(received))) {
            lines = new ArrayList<>(lines);
            lines.add(replaced);
        }
        return lines;
    }

    private Reader reader(HttpServletRequest received) {
        return readers.computeIfAbsent(received.getClass(), SocketPeer::reader);
    }

    private static Reader reader(Class<?> request) {
        try {
            for (Class<?> type = request; type != null; type = type.getSuperclass()) {
                String name = type.getName();
                if (name.equals(TOMCAT + "RequestFacade")) {
                    return new Reader(tomcat(type), true);
                }
                if (name.startsWith("org.eclipse.jetty.ee") && name.endsWith(".servlet.ServletApiRequest")) {
                    return new Reader(jetty(type), false);
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn(
                    "The connection's address cannot be read from {} ({}), so the gate uses getRemoteAddr()."
                            + " Do not let the container replace that by forwarded headers: clients could choose their address",
                    request.getName(),
                    e.toString());
        }
        return UNKNOWN;
    }

    private static MethodHandle tomcat(Class<?> facade) throws ReflectiveOperationException {
        Class<?> request = facade.getClassLoader().loadClass(TOMCAT + "Request");
        MethodHandle inner =
                MethodHandles.privateLookupIn(facade, MethodHandles.lookup()).findGetter(facade, "request", request);
        return readable(then(inner, "getPeerAddr", String.class));
    }

    private static MethodHandle jetty(Class<?> api) throws ReflectiveOperationException {
        ClassLoader jetty = api.getClassLoader();
        Class<?> request = jetty.loadClass("org.eclipse.jetty.server.Request");
        MethodHandle core = MethodHandles.publicLookup().findVirtual(api, "getRequest", MethodType.methodType(request));
        MethodHandle metaData =
                then(core, "getConnectionMetaData", jetty.loadClass("org.eclipse.jetty.server.ConnectionMetaData"));
        MethodHandle connection = then(metaData, "getConnection", jetty.loadClass("org.eclipse.jetty.io.Connection"));
        MethodHandle endPoint = then(connection, "getEndPoint", jetty.loadClass("org.eclipse.jetty.io.EndPoint"));
        return readable(then(endPoint, "getRemoteSocketAddress", SocketAddress.class));
    }

    private static MethodHandle then(MethodHandle before, String method, Class<?> returned)
            throws ReflectiveOperationException {
        Class<?> on = before.type().returnType();
        return MethodHandles.filterReturnValue(
                before, MethodHandles.publicLookup().findVirtual(on, method, MethodType.methodType(returned)));
    }

    private static MethodHandle readable(MethodHandle handle) {
        return handle.asType(MethodType.methodType(Object.class, HttpServletRequest.class));
    }
}

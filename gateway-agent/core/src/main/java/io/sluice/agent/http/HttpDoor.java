package io.sluice.agent.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an HTTP server, or a proxy in front of one, tells of a request: all that {@link CallerExtraction} looks at. */
public interface HttpDoor {

    /** The address of the connection's other end, as the server writes it. */
    String peer();

    /** All values of a header, in their order; empty when there is none. */
    List<String> headers(String name);

    /** Who the server has authenticated, if anybody. */
    @Nullable
    String principal();

    /** The path as the client wrote it. */
    String path();

    /** The method as the client wrote it. */
    String method();
}

package io.sluice.agent.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of an HTTP request that {@link CallerExtraction} reads, from a server or a proxy in front of one. */
public interface HttpDoor {

    /**
     * Returns the address of the connection's remote end, as the server writes it.
     *
     * @return the address
     */
    String peer();

    /**
     * Returns all values of a header, in order, as text: see {@link HeaderText} for servers that read bytes as ISO 8859-1.
     *
     * @param name the header's name, in any case
     * @return the values, empty when the header is missing
     */
    List<String> headers(String name);

    /**
     * Returns the principal that the server authenticated.
     *
     * @return its name, {@code null} when there is none
     */
    @Nullable
    String principal();

    /**
     * Returns the path as the client wrote it.
     *
     * @return the path, not decoded
     */
    String path();

    /**
     * Returns the method as the client wrote it.
     *
     * @return the method
     */
    String method();
}

package io.sluice.contract.event;

import org.jspecify.annotations.Nullable;

/**
 * Attributes of a request that are known when it is checked: those that select and gate. Implementations are immutable or
 * confined to one thread. An attribute that is absent is {@code null}; an absent caller is never allowed.
 */
public interface RequestAttributes {

    /** The caller that the request is charged to, never empty. */
    String caller();

    /** The client's address as RFC 5952 text (IPv4 dotted), or {@code null}. */
    @Nullable
    String ip();

    @Nullable
    String service();

    /** The route template after normalisation, such as {@code /orders/{id}}, or {@code null}. */
    @Nullable
    String route();

    /** The HTTP method in capitals, or {@code null}. */
    @Nullable
    String method();

    /** The label of this name, or {@code null}. */
    @Nullable
    String label(String name);

    /** How far the caller's identity can be trusted. */
    Identity identity();
}

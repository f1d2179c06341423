package io.sluice.agent;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.AttributeText;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.event.RequestEvent;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a service knows of a request before it serves it. Immutable and thread-safe.
 *
 * <p>Every attribute is cut to a bounded text by {@link AttributeText}, as the analyzer does: what a client invents takes a
 * bounded place in memory, and check, log and lock speak of the same subject.
 */
public final class Request implements RequestAttributes {
    private static final String UNKNOWN = "unknown";

    private final String caller;
    private final Identity identity;
    private final @Nullable String ip;
    private final @Nullable String service;
    private final @Nullable String route;
    private final @Nullable String method;
    private final Map<String, String> labels;

    private Request(Builder from) {
        caller = from.caller;
        identity = from.identity;
        ip = from.ip;
        service = from.service;
        route = from.route;
        method = from.method;
        labels = Map.copyOf(from.labels);
    }

    /**
     * Starts a request charged to {@code caller}.
     *
     * @param caller tenant, API key, user or address; one that is missing or blank is {@code unknown}, and only claimed
     */
    public static Builder of(@Nullable String caller) {
        return new Builder(caller);
    }

    @Override
    public String caller() {
        return caller;
    }

    @Override
    public @Nullable String ip() {
        return ip;
    }

    @Override
    public @Nullable String service() {
        return service;
    }

    @Override
    public @Nullable String route() {
        return route;
    }

    @Override
    public @Nullable String method() {
        return method;
    }

    @Override
    public @Nullable String label(String name) {
        return labels.get(name);
    }

    /** All labels, unmodifiable. */
    public Map<String, String> labels() {
        return labels;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    /** The same request to this service. */
    Request at(String otherService) {
        Builder copy = new Builder(caller).service(otherService);
        copy.identity = identity;
        copy.ip = ip;
        copy.route = route;
        copy.method = method;
        copy.labels = new HashMap<>(labels);
        return new Request(copy);
    }

    /** Puts a request together. Not thread-safe. */
    public static final class Builder {
        private final String caller;
        private Identity identity;
        private @Nullable String ip;
        private @Nullable String service;
        private @Nullable String route;
        private @Nullable String method;
        // most requests have none
        private Map<String, String> labels = Map.of();

        private Builder(@Nullable String caller) {
            this.caller = caller == null || caller.isBlank() ? UNKNOWN : AttributeText.bounded(caller);
            this.identity = this.caller.equals(UNKNOWN) ? Identity.CLAIMED : Identity.AUTHENTICATED;
        }

        /** How far the caller can be believed; authenticated unless said otherwise. A missing caller stays claimed. */
        public Builder identity(Identity newIdentity) {
            identity = caller.equals(UNKNOWN) ? Identity.CLAIMED : newIdentity;
            return this;
        }

        /** The client's address in any usual spelling; what is no address is left out. */
        public Builder ip(@Nullable String address) {
            ip = address == null ? null : Addresses.canonical(address);
            return this;
        }

        /** The service that is called; the agent's own unless said otherwise. */
        public Builder service(@Nullable String newService) {
            service = newService == null ? null : AttributeText.bounded(newService);
            return this;
        }

        /** The route template, such as {@code /orders/{id}}: never the path itself, which names too many things. */
        public Builder route(@Nullable String newRoute) {
            route = newRoute == null ? null : AttributeText.boundedRoute(newRoute);
            return this;
        }

        /** The HTTP method. */
        public Builder method(@Nullable String newMethod) {
            method = newMethod == null ? null : AttributeText.bounded(newMethod.toUpperCase(Locale.ROOT));
            return this;
        }

        /** One more label; a null value leaves it out, and so does a label after the {@value RequestEvent#MAX_LABELS}th. */
        public Builder label(String name, @Nullable String value) {
            if (value != null && labels.size() < RequestEvent.MAX_LABELS) {
                if (labels.isEmpty()) {
                    labels = new HashMap<>(4);
                }
                labels.put(AttributeText.bounded(name), AttributeText.bounded(value));
            }
            return this;
        }

        /** The request as it is now. */
        public Request build() {
            return new Request(this);
        }
    }
}

package io.sluice.agent;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.AttributeText;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.pseudonym.PseudonymKey;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request that are known before it is served. Immutable and thread-safe.
 *
 * <p>{@link AttributeText} bounds the length of every attribute, as in the analyzer. So values that a client invents take bounded memory, and
 * check, log and lock refer to the same subject. An empty value is as if it were missing, for the same reason.
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
    /** A cache, for the check and the log of one request; a race costs a computation only. */
    private @Nullable Pseudonymous pseudonymous;

    private record Pseudonymous(PseudonymKey key, Request request) {}

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
     * Starts a request.
     *
     * @param caller the caller that is charged: tenant, API key, user or address; a missing or blank one becomes {@code unknown} and is only
     *     claimed
     * @return a builder
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

    /**
     * Returns all labels.
     *
     * @return an unmodifiable map
     */
    public Map<String, String> labels() {
        return labels;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    /** Returns a copy of this request for another service. */
    Request at(String otherService) {
        return copy(caller, ip, AttributeText.bounded(otherService));
    }

    /** Returns a copy of this request with pseudonyms of its caller and address. */
    Request under(PseudonymKey key) {
        Pseudonymous known = pseudonymous;
        if (known == null || known.key != key) {
            known = new Pseudonymous(key, copy(key.caller(caller), ip == null ? null : key.ip(ip), service));
            pseudonymous = known;
        }
        return known.request;
    }

    private Request copy(String otherCaller, @Nullable String otherIp, @Nullable String otherService) {
        Builder copy = new Builder(otherCaller);
        copy.identity = identity;
        copy.ip = otherIp;
        copy.service = otherService;
        copy.route = route;
        copy.method = method;
        copy.labels = labels;
        return new Request(copy);
    }

    /** Builds a {@link Request}. Not thread-safe. */
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

        /**
         * Sets how far the caller can be trusted. Defaults to authenticated; a missing caller is always claimed.
         *
         * @param newIdentity the kind of identity
         * @return this builder
         */
        public Builder identity(Identity newIdentity) {
            identity = caller.equals(UNKNOWN) ? Identity.CLAIMED : newIdentity;
            return this;
        }

        /**
         * Sets the client's address.
         *
         * @param address in any usual notation; text that is no address is ignored
         * @return this builder
         */
        public Builder ip(@Nullable String address) {
            ip = address == null ? null : Addresses.canonical(address);
            return this;
        }

        /**
         * Sets the called service. Defaults to the agent's own.
         *
         * @param newService the name that policies use
         * @return this builder
         */
        public Builder service(@Nullable String newService) {
            service = newService == null || newService.isEmpty() ? null : AttributeText.bounded(newService);
            return this;
        }

        /**
         * Sets the route.
         *
         * @param newRoute a template such as {@code /orders/{id}}, not the path: paths have too many different values
         * @return this builder
         */
        public Builder route(@Nullable String newRoute) {
            route = newRoute == null || newRoute.isEmpty() ? null : AttributeText.boundedRoute(newRoute);
            return this;
        }

        /**
         * Sets the HTTP method.
         *
         * @param newMethod the method, in any case
         * @return this builder
         */
        public Builder method(@Nullable String newMethod) {
            method = newMethod == null || newMethod.isEmpty()
                    ? null
                    : AttributeText.bounded(newMethod.toUpperCase(Locale.ROOT));
            return this;
        }

        /**
         * Adds a label. Labels after the {@value RequestEvent#MAX_LABELS}th are ignored.
         *
         * @param name the label's name
         * @param value its value; {@code null} or an empty one adds nothing
         * @return this builder
         */
        public Builder label(String name, @Nullable String value) {
            if (value != null && !value.isEmpty() && labels.size() < RequestEvent.MAX_LABELS) {
                if (labels.isEmpty()) {
                    labels = new HashMap<>(4);
                }
                labels.put(AttributeText.bounded(name), AttributeText.bounded(value));
            }
            return this;
        }

        /**
         * Builds the request.
         *
         * @return a new request
         */
        public Request build() {
            return new Request(this);
        }
    }
}

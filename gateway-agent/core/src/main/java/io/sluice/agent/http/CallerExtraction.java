package io.sluice.agent.http;

import io.sluice.agent.Request;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.ForwardedFor;
import io.sluice.contract.event.Identity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller that a request is charged to: a header, the authenticated principal or the client's address. When header or principal are
 * missing, the address is used. Forwarded addresses count only as far as trusted proxies vouch for them. Immutable and thread-safe.
 */
public final class CallerExtraction {
    static final String FORWARDED = "X-Forwarded-For";
    private static final String HEADER = "header:";

    private enum Source {
        HEADER,
        PRINCIPAL,
        ADDRESS
    }

    private final Source source;
    private final String header;
    private final @Nullable Identity identity;
    private final ForwardedFor forwarded;
    private final boolean proxied;
    private final int ipv6Prefix;
    private final String identitySetting;

    private CallerExtraction(
            Source source, String header, @Nullable Identity identity, List<String> proxies, int ipv6Prefix) {
        if (ipv6Prefix < 1 || ipv6Prefix > 128) {
            throw new IllegalArgumentException("ipv6-prefix must be from 1 to 128, found " + ipv6Prefix);
        }
        this.source = source;
        this.header = header;
        this.identity = identity;
        this.forwarded =
                new ForwardedFor(proxies.stream().map(CallerExtraction::proxy).toList());
        this.proxied = !proxies.isEmpty();
        this.ipv6Prefix = ipv6Prefix;
        this.identitySetting = "the identity in CallerExtraction.of";
    }

    private CallerExtraction(CallerExtraction from, String identitySetting) {
        this.source = from.source;
        this.header = from.header;
        this.identity = from.identity;
        this.forwarded = from.forwarded;
        this.proxied = from.proxied;
        this.ipv6Prefix = from.ipv6Prefix;
        this.identitySetting = identitySetting;
    }

    /**
     * Returns an extraction by the connection's remote address, IPv6 by its /64.
     *
     * @return an extraction without trusted proxies
     */
    public static CallerExtraction address() {
        return of("address", null, List.of(), 64);
    }

    /**
     * Returns an extraction by configuration.
     *
     * @param caller {@code header:NAME}, {@code principal} or {@code address}
     * @param identity how far a caller from header or principal can be trusted. {@code null}: a principal is authenticated, a header claimed. An
     *     address is network at most. The analyzer never locks a claimed caller.
     * @param trustedProxies addresses and networks of our own proxies
     * @param ipv6Prefix leading bits of an IPv6 address that identify a caller, from 1 to 128
     * @return the extraction
     * @throws IllegalArgumentException with the allowed values
     */
    public static CallerExtraction of(
            String caller, @Nullable Identity identity, List<String> trustedProxies, int ipv6Prefix) {
        boolean byHeader = caller.toLowerCase(Locale.ROOT).startsWith(HEADER);
        String name = byHeader ? caller.substring(HEADER.length()).strip() : "";
        boolean known = byHeader ? !name.isEmpty() : caller.equals("principal") || caller.equals("address");
        if (!known) {
            throw new IllegalArgumentException("caller must be header:NAME, principal or address, found " + caller);
        }
        Source source = byHeader ? Source.HEADER : caller.equals("principal") ? Source.PRINCIPAL : Source.ADDRESS;
        return new CallerExtraction(source, name, identity, trustedProxies, ipv6Prefix);
    }

    /**
     * Sets the name of the setting that {@code identity} comes from, for {@link #claimedWarning}.
     *
     * @param name the setting's name
     * @return a copy
     */
    public CallerExtraction identitySetting(String name) {
        return new CallerExtraction(this, name);
    }

    /**
     * Returns the header that callers come from.
     *
     * @return its name as configured, empty for principals and addresses
     */
    public Optional<String> header() {
        return source == Source.HEADER ? Optional.of(header) : Optional.empty();
    }

    /**
     * Returns the warning that a door logs at its start when callers are only claimed: the analyzer never locks those.
     *
     * @return the warning, empty when callers are more than claimed
     */
    public Optional<String> claimedWarning() {
        boolean claimed = identity == null ? source == Source.HEADER : identity == Identity.CLAIMED;
        if (!claimed) {
            return Optional.empty();
        }
        String from =
                source == Source.HEADER ? "header " + header : source.name().toLowerCase(Locale.ROOT);
        return Optional.of("Callers come from " + from
                + " and count as claimed: the analyzer never locks a claimed caller, only"
                + " local limits apply to it. If the caller has been verified before it is written, set "
                + identitySetting
                + " to authenticated");
    }

    /**
     * Starts the request of an HTTP exchange, with caller, identity and address set.
     *
     * @param door the exchange
     * @return a builder
     */
    public Request.Builder request(HttpDoor door) {
        String ip = proxied ? forwarded.client(door.peer(), door.headers(FORWARDED)) : Addresses.canonical(door.peer());
        String named = switch (source) {
            case HEADER -> first(door.headers(header));
            case PRINCIPAL -> door.principal();
            case ADDRESS -> null;
        };
        if (named != null && !named.isBlank()) {
            Identity usual = source == Source.PRINCIPAL ? Identity.AUTHENTICATED : Identity.CLAIMED;
            return Request.of(named.strip())
                    .identity(identity == null ? usual : identity)
                    .ip(ip);
        }
        String network = ip == null ? null : Addresses.caller(ip, ipv6Prefix);
        Identity most = identity == null || source != Source.ADDRESS ? Identity.NETWORK : identity;
        return Request.of(network).identity(Identity.NETWORK.weaker(most)).ip(ip);
    }

    private static Cidr proxy(String network) {
        try {
            return Cidr.parse(network);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "trusted-proxies must be addresses or networks such as 10.0.0.0/8, found " + network + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static @Nullable String first(List<String> values) {
        return values.isEmpty() ? null : values.get(0);
    }
}

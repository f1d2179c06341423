package io.sluice.sidecar;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.sluice.agent.Request;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.AgentSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests out of rate limit descriptors: the domain is the service, the keys {@code caller}, {@code ip} (Envoy's own name for it,
 * {@code remote_address}, too), {@code service}, {@code route}, {@code method} and {@code identity} are the attributes of these names,
 * every other key is a label. A descriptor is a request of its own. Without a caller it is charged to its address. {@code hits_addend} is the
 * request's cost. With {@code sluice_charge: used} the cost is charged without a check. Immutable and thread-safe.
 *
 * <p>What a configuration got wrong is refused and never left out. What a client can bring about, an empty value or an address that is
 * none, is as if it were missing: a refusal would let the client through wherever the proxy fails open.
 */
final class DescriptorReader {
    /** The key of a descriptor whose hits have been used already. */
    private static final String CHARGE = "sluice_charge";

    private static final int MAX_DESCRIPTORS = 64;

    private final @Nullable Identity configured;
    /** The most that an address is trusted as a caller: as at the other doors, the settings weaken it only where they name addresses the callers. */
    private final Identity network;

    private final int ipv6Prefix;
    private final RouteNormalizer routes;

    DescriptorReader(AgentSettings agent, RouteNormalizer routes) {
        this.configured = agent.identity();
        boolean addresses = agent.caller().equals("address");
        this.network = configured == null || !addresses ? Identity.NETWORK : Identity.NETWORK.weaker(configured);
        this.ipv6Prefix = agent.ipv6Prefix();
        this.routes = routes;
    }

    /** Returns one check for each descriptor, in their order. */
    List<Check> read(RateLimitRequest from, boolean logged) throws UnreadableCheckException {
        if (from.getDomain().isBlank()) {
            throw new UnreadableCheckException("domain is empty: it names the service");
        }
        int count = from.getDescriptorsCount();
        if (count == 0 || count > MAX_DESCRIPTORS) {
            throw new UnreadableCheckException(
                    "found " + count + " descriptors, 1 to " + MAX_DESCRIPTORS + " are allowed");
        }
        // as Envoy defines it: a request without the field counts one
        long cost = Math.max(1, Integer.toUnsignedLong(from.getHitsAddend()));
        List<Check> checks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            checks.add(read(from.getDomain(), from.getDescriptors(i), cost, logged, "descriptor " + (i + 1)));
        }
        return checks;
    }

    private Check read(String domain, RateLimitDescriptor descriptor, long usualCost, boolean logged, String place)
            throws UnreadableCheckException {
        if (descriptor.hasLimit()) {
            throw new UnreadableCheckException(place + " brings a limit: limits stand in policies");
        }
        long cost = descriptor.hasHitsAddend() ? descriptor.getHitsAddend().getValue() : usualCost;
        if (cost < 0 || cost > RequestEvent.MAX_COST) {
            throw new UnreadableCheckException(place + " has a hits_addend of " + Long.toUnsignedString(cost)
                    + ": 0 to " + RequestEvent.MAX_COST + " are allowed");
        }
        Map<String, String> values = new HashMap<>();
        for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
            String key = entry.getKey().equals("remote_address") ? "ip" : entry.getKey();
            if (key.isBlank()) {
                throw new UnreadableCheckException(place + " has an entry without a key");
            }
            if (values.put(key, entry.getValue()) != null) {
                throw new UnreadableCheckException(place + " has a key twice: give each entry a key of its own");
            }
        }
        boolean used = used(values.remove(CHARGE), place);
        return new Check(request(domain, values, place), cost, used, logged);
    }

    private static boolean used(@Nullable String charge, String place) throws UnreadableCheckException {
        if (charge != null && !charge.equals("used")) {
            throw new UnreadableCheckException(place + ": " + CHARGE + " must be used");
        }
        return charge != null;
    }

    private Request request(String domain, Map<String, String> values, String place) throws UnreadableCheckException {
        if (!values.containsKey("caller") && !values.containsKey("ip")) {
            throw new UnreadableCheckException(place + " has no caller: it needs a caller or an ip");
        }
        Identity told = identity(values.remove("identity"), place);
        values.values().removeIf(String::isBlank);
        String ip = address(values.remove("ip"));
        Request.Builder request = caller(values.remove("caller"), ip, told).ip(ip);
        request.service(values.containsKey("service") ? values.remove("service") : domain);
        request.method(values.remove("method"));
        String route = values.remove("route");
        if (route != null) {
            request.route(routes.normalize(route));
        }
        if (values.size() > RequestEvent.MAX_LABELS) {
            throw new UnreadableCheckException(place + " has more than " + RequestEvent.MAX_LABELS + " labels");
        }
        values.forEach(request::label);
        return request.build();
    }

    private Request.Builder caller(@Nullable String named, @Nullable String ip, Identity told) {
        if (named == null && ip != null) {
            return Request.of(Addresses.caller(ip, ipv6Prefix)).identity(network.weaker(told));
        }
        Identity most = configured == null ? Identity.CLAIMED : configured;
        return Request.of(named).identity(most.weaker(told));
    }

    private static @Nullable String address(@Nullable String written) {
        return written == null ? null : Addresses.canonical(written);
    }

    private static Identity identity(@Nullable String said, String place) throws UnreadableCheckException {
        for (Identity identity : Identity.values()) {
            if (said == null || identity.name().toLowerCase(Locale.ROOT).equals(said)) {
                return said == null ? Identity.AUTHENTICATED : identity;
            }
        }
        throw new UnreadableCheckException(place + ": identity must be authenticated, network or claimed");
    }
}

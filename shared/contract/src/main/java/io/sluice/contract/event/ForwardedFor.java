package io.sluice.contract.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client of a request that comes through proxies. The header is read from right to left, only as far as
 * proxies are trusted: each proxy appends the address it was asked by, so what stands left of the first address that is
 * not ours was written by the client and proves nothing. Immutable.
 */
public final class ForwardedFor {
    // no real chain has more proxies; a longer one is an attack or a loop
    private static final int MAX_HOPS = 32;

    private final Cidr[] trusted;

    /**
     * Believes the header only as far as these stand in it.
     *
     * @param trusted the proxies' own networks; empty: the header is never believed
     */
    public ForwardedFor(List<Cidr> trusted) {
        this.trusted = trusted.toArray(Cidr[]::new);
    }

    /**
     * Returns the client's canonical address.
     *
     * @param peer the address of the TCP connection's other end
     * @param headers the values of all {@code X-Forwarded-For} lines, in their order
     * @return {@code null} when it is unknown: the peer is no address, such as a Unix socket's, or an entry that has to be believed is malformed. The
     *     proxy's own address would let one client accuse all that come through it
     */
    public @Nullable String client(String peer, List<String> headers) {
        String nearest = Addresses.canonical(peer);
        if (nearest == null || !isTrusted(nearest)) {
            return nearest;
        }
        String client = nearest;
        int hops = 0;
        for (int line = headers.size() - 1; line >= 0; line--) {
            String header = headers.get(line);
            int to = header.isBlank() ? -1 : header.length();
            while (to >= 0) {
                int comma = header.lastIndexOf(',', to - 1);
                String hop = Addresses.canonical(header.substring(comma + 1, to));
                if (hop == null || ++hops > MAX_HOPS) {
                    return null;
                }
                client = hop;
                if (!isTrusted(hop)) {
                    return client;
                }
                to = comma;
            }
        }
        return client;
    }

    private boolean isTrusted(String address) {
        for (Cidr network : trusted) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }
}

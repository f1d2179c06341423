package io.sluice.quota.chunks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Picks a node for each key by the highest random weight (Thaler and Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM
 * Transactions on Networking 6(1), 1998). All clients that know the same nodes pick the same one, without talking to each other. A node that goes
 * moves only its own keys, evenly to the others; a node that joins takes only what becomes its own.
 *
 * <p>A weight is the 64-bit FNV-1a hash of the key's UTF-8 exclusive-or that of the node's name, each through the finalizer of MurmurHash3, the
 * whole through the finalizer again; weights are compared unsigned. So programs in other languages can pick the same nodes. One pick takes time in
 * proportion to the number of nodes, and no memory. Immutable.
 */
public final class RendezvousHash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final int BYTE = 0xff;

    private final List<String> nodes;
    private final long[] seeds;

    /**
     * Creates a hash over some nodes.
     *
     * @param nodes their names, at least one; order does not matter
     * @throws IllegalArgumentException if there is none, or one twice
     */
    public RendezvousHash(Collection<String> nodes) {
        this.nodes = nodes.stream().sorted().toList();
        if (nodes.isEmpty() || this.nodes.stream().distinct().count() != nodes.size()) {
            throw new IllegalArgumentException("nodes are " + nodes + "; at least one is needed, and no name twice");
        }
        seeds = this.nodes.stream().mapToLong(RendezvousHash::hash).toArray();
    }

    /**
     * Returns the nodes.
     *
     * @return sorted by name
     */
    public List<String> nodes() {
        return nodes;
    }

    /**
     * Returns the node of a key.
     *
     * @param key any text
     * @return the node with the highest weight
     */
    public String pick(String key) {
        long hash = hash(key);
        int best = 0;
        for (int node = 1; node < seeds.length; node++) {
            if (Long.compareUnsigned(weight(hash, node), weight(hash, best)) > 0) {
                best = node;
            }
        }
        return nodes.get(best);
    }

    /**
     * Returns all nodes in the order in which they stand in for each other for a key.
     *
     * @param key any text
     * @return the node of the key first; without the first node, the second would be picked, and so on
     */
    public List<String> ranked(String key) {
        long hash = hash(key);
        List<Integer> order = new ArrayList<>();
        for (int node = 0; node < seeds.length; node++) {
            order.add(node);
        }
        order.sort((a, b) -> Long.compareUnsigned(weight(hash, b), weight(hash, a)));
        return order.stream().map(nodes::get).toList();
    }

    private long weight(long hash, int node) {
        return mix(hash ^ seeds[node]);
    }

    private static long hash(String text) {
        long hash = FNV_OFFSET;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & BYTE)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** The finalizer of MurmurHash3 (Appleby, public domain), a bijection. */
    private static long mix(long bits) {
        long z = bits;
        z = (z ^ (z >>> 33)) * 0xff51afd7ed558ccdL;
        z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return z ^ (z >>> 33);
    }

    @Override
    public String toString() {
        return "RendezvousHash" + Arrays.toString(nodes.toArray());
    }
}

package io.sluice.contract.pseudonym;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.AttributeText;
import io.sluice.contract.secret.HmacKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * One secret key with the pseudonyms that it gives: HMAC-SHA-256 (RFC 2104), cut to 128 bits for callers. Without the key, a pseudonym cannot be
 * traced back, not even by trying all addresses. Equal values have equal pseudonyms. Immutable and thread-safe.
 *
 * <p>The pseudonym of a caller is {@code p.KEY.TEXT}, with the key's id and 22 characters. That of an address is an address in
 * {@code ad00::/8}, which no network uses (IANA reserves {@code a000::/3}), so that it can stand wherever an address can. Its first 64 bits depend
 * on the network of a caller, which is an IPv6 address's /64 or a whole IPv4 address; 56 of them come from the key.
 */
public final class PseudonymKey {
    private static final String PREFIX = "p.";
    private static final String UNKNOWN = "unknown";
    private static final String ADDRESSES = "ad";
    private static final long FIRST_BYTE = 0xadL << 56;
    private static final int CALLER_BYTES = 16;
    private static final int CALLER_CHARS = 22;
    static final int NETWORK_BITS = 64;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final String id;
    private final HmacKey key;

    PseudonymKey(HmacKey key) {
        this.key = key;
        id = key.id();
    }

    /** Returns the key's name, which is no secret. */
    public String id() {
        return id;
    }

    /** Returns the pseudonym of a caller; {@code unknown}, which stands for none, stays as it is. */
    public String caller(String caller) {
        String bounded = AttributeText.bounded(caller);
        return bounded.equals(UNKNOWN)
                ? UNKNOWN
                : PREFIX + id + "." + TEXT.encodeToString(Arrays.copyOf(hash("caller", bounded), CALLER_BYTES));
    }

    /**
     * Returns the pseudonym of an address.
     *
     * @param ip as {@link Addresses#canonical} writes it
     */
    public String ip(String ip) {
        long high = FIRST_BYTE | first(hash("network", Addresses.prefix(ip, Integer.SIZE, NETWORK_BITS))) >>> 8;
        return Addresses.text(high, first(hash("address", ip)));
    }

    /** Returns whether text has the form of a caller's pseudonym under this key. */
    boolean isCaller(String text) {
        int prefix = PREFIX.length() + id.length() + 1;
        return text.length() == prefix + CALLER_CHARS
                && text.startsWith(PREFIX + id + ".")
                && text.substring(prefix).matches("[A-Za-z0-9_-]*");
    }

    /** Returns whether text is an address, or a network of one caller, that only a key can have made. */
    static boolean isIp(String text) {
        return text.startsWith(ADDRESSES) && text.indexOf(':') == ADDRESSES.length() + 2;
    }

    private byte[] hash(String kind, String text) {
        return key.hash((kind + '\0' + text).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the network of a pseudonym, which the addresses of one caller share. */
    static String network(String pseudonym) {
        return Addresses.prefix(pseudonym, Integer.SIZE, NETWORK_BITS);
    }

    private static long first(byte[] hash) {
        return ByteBuffer.wrap(hash).getLong();
    }

    /** Returns the id only. */
    @Override
    public String toString() {
        return id;
    }
}

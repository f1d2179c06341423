package io.sluice.contract.event;

import org.jspecify.annotations.Nullable;

/** One spelling for each address, so that an address is one caller however it was written. Never asks a name server. */
public final class Addresses {
    // 45 characters of address, brackets, a port, and a zone's name
    private static final int MAX_LENGTH = 128;

    private Addresses() {}

    /**
     * The address in its one spelling: dotted IPv4, RFC 5952 for IPv6, IPv4 for an IPv4-mapped IPv6 address. Space around
     * it, brackets, a port and a zone ({@code %eth0}) are taken off.
     *
     * @return {@code null} when the text is not an address
     */
    public static @Nullable String canonical(String text) {
        int from = 0;
        int to = text.length();
        if (to > MAX_LENGTH) {
            return null;
        }
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        if (from < to && text.charAt(from) == '[') {
            int close = text.indexOf(']', from);
            if (close < 0 || close >= to || (close + 1 < to && !isPort(text, close + 1, to))) {
                return null;
            }
            return v6(text, from + 1, close);
        }
        int colon = text.indexOf(':', from);
        if (colon < 0 || colon >= to) {
            return v4(text, from, to);
        }
        if (text.indexOf('.', from) < colon && text.indexOf('.', from) >= 0) {
            return isPort(text, colon, to) ? v4(text, from, colon) : null;
        }
        return v6(text, from, to);
    }

    private static @Nullable String v4(String text, int from, int to) {
        // the accepted spelling is already the canonical one
        return AddressText.v4(text, from, to) < 0 ? null : text.substring(from, to);
    }

    private static @Nullable String v6(String text, int from, int to) {
        int end = text.indexOf('%', from);
        if (end < 0 || end >= to) {
            end = to;
        } else if (end == to - 1) {
            return null;
        }
        if (!AddressText.isV6(text, from, end)) {
            return null;
        }
        long high = AddressText.v6(text, from, end, true);
        long low = AddressText.v6(text, from, end, false);
        return AddressText.mapped(high, low)
                ? AddressText.textOfV4(low & 0xffffffffL)
                : AddressText.textOfV6(high, low);
    }

    /** {@code :} and a port number. */
    private static boolean isPort(String text, int from, int to) {
        if (text.charAt(from) != ':' || to - from < 2 || to - from > 6) {
            return false;
        }
        int port = 0;
        for (int i = from + 1; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            port = port * 10 + c - '0';
        }
        return port <= 65535;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    /**
     * The network that an address belongs to, as CIDR text; a whole address (32 or 128 bits) stays an address.
     *
     * @param canonicalIp as {@link #canonical} writes it
     * @param v4bits 0 to 32
     * @param v6bits 0 to 128
     */
    public static String prefix(String canonicalIp, int v4bits, int v6bits) {
        int length = canonicalIp.length();
        if (AddressText.hasColon(canonicalIp, 0, length)) {
            if (v6bits >= 128 || !AddressText.isV6(canonicalIp, 0, length)) {
                return canonicalIp;
            }
            long high = AddressText.v6(canonicalIp, 0, length, true) & Cidr.mask(v6bits);
            long low = AddressText.v6(canonicalIp, 0, length, false) & Cidr.mask(v6bits - 64);
            return AddressText.textOfV6(high, low) + "/" + v6bits;
        }
        long bits = v4bits >= 32 ? -1 : AddressText.v4(canonicalIp, 0, length);
        return bits < 0 ? canonicalIp : AddressText.textOfV4(bits & (Cidr.mask(v4bits) >>> 32)) + "/" + v4bits;
    }

    /**
     * Returns the name of an address as a caller: an IPv4 address, or the network of an IPv6 address, of which a client usually has all addresses.
     *
     * @param canonicalIp as {@link #canonical} writes it
     * @param ipv6Prefix leading bits that identify a caller, 1 to 128
     */
    public static String caller(String canonicalIp, int ipv6Prefix) {
        return prefix(canonicalIp, 32, ipv6Prefix);
    }

    /** Returns the IPv6 address of these bits in its one spelling. */
    public static String text(long high, long low) {
        return AddressText.textOfV6(high, low);
    }
}

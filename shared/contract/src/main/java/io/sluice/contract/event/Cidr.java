package io.sluice.contract.event;

/**
 * A network: an address and how many of its leading bits count. Matching allocates nothing.
 *
 * @param v4 IPv4; the address then is the upper 32 bits of {@code high}
 * @param bits 0 to 32, or 0 to 128
 */
public record Cidr(boolean v4, long high, long low, int bits) {

    /**
     * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        int length = address.length();
        long v4 = AddressText.v4(address, 0, length);
        if (v4 >= 0) {
            return checked(new Cidr(true, v4 << 32, 0, slash < 0 ? 32 : bits(text, slash, 32)));
        }
        if (!AddressText.isV6(address, 0, length)) {
            throw new IllegalArgumentException("not an address or network");
        }
        long high = AddressText.v6(address, 0, length, true);
        long low = AddressText.v6(address, 0, length, false);
        int bits = slash < 0 ? 128 : bits(text, slash, 128);
        if (AddressText.mapped(high, low) && bits >= 96) {
            return checked(new Cidr(true, low << 32, 0, bits - 96));
        }
        return checked(new Cidr(false, high, low, bits));
    }

    private static int bits(String text, int slash, int most) {
        int bits = number(text, slash + 1, text.length());
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("the part behind / must be a number from 0 to " + most);
        }
        return bits;
    }

    private static Cidr checked(Cidr cidr) {
        if ((cidr.high & ~mask(cidr.bits)) != 0 || (cidr.low & ~mask(cidr.bits - 64)) != 0) {
            Cidr network = new Cidr(cidr.v4, cidr.high & mask(cidr.bits), cidr.low & mask(cidr.bits - 64), cidr.bits);
            throw new IllegalArgumentException(
                    "bits are set behind the first " + cidr.bits + "; the network is " + network);
        }
        return cidr;
    }

    /** Returns whether the address, or the network in CIDR text, lies inside; false for what is neither. */
    public boolean contains(String addressOrNetwork) {
        int end = addressOrNetwork.indexOf('/');
        int to = end < 0 ? addressOrNetwork.length() : end;
        boolean isV4 = !AddressText.hasColon(addressOrNetwork, 0, to);
        int itsBits = end < 0 ? 128 : number(addressOrNetwork, end + 1, addressOrNetwork.length());
        if (isV4 != v4 || itsBits < bits) {
            return false;
        }
        if (v4) {
            long address = AddressText.v4(addressOrNetwork, 0, to);
            return address >= 0 && ((address << 32) & mask(bits)) == high;
        }
        return AddressText.isV6(addressOrNetwork, 0, to)
                && (AddressText.v6(addressOrNetwork, 0, to, true) & mask(bits)) == high
                && (AddressText.v6(addressOrNetwork, 0, to, false) & mask(bits - 64)) == low;
    }

    /** Returns whether it is one address and not more. */
    public boolean single() {
        return bits == (v4 ? 32 : 128);
    }

    /** The upper {@code bits} of a word: all for 64 and more, none for 0 and less. */
    static long mask(int bits) {
        return bits <= 0 ? 0 : bits >= 64 ? -1 : -1L << (64 - bits);
    }

    private static int number(String text, int from, int to) {
        if (to <= from || to - from > 3) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + c - '0';
        }
        return value;
    }

    @Override
    public String toString() {
        String address = v4 ? AddressText.textOfV4(high >>> 32) : AddressText.textOfV6(high, low);
        return single() ? address : address + "/" + bits;
    }
}

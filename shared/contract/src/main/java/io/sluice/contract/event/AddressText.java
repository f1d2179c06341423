package io.sluice.contract.event;

/**
 * Addresses as text, read and written without allocation or look-ups of names. IPv4 is dotted decimal of four parts
 * without leading zeros; IPv6 is what RFC 4291 section 2.2 allows, an IPv4 tail included. Ranges are {@code from}
 * (inclusive) to {@code to} (exclusive).
 */
final class AddressText {
    private static final int GROUPS = 8;
    private static final long MAPPED = 0xffffL;

    private AddressText() {}

    static boolean hasColon(String text, int from, int to) {
        int colon = text.indexOf(':', from);
        return colon >= 0 && colon < to;
    }

    /** The 32 bits of an IPv4 address, or −1. */
    static long v4(String text, int from, int to) {
        long bits = 0;
        int at = from;
        for (int part = 0; part < 4; part++) {
            int start = at;
            int value = 0;
            while (at < to && isDigit(text.charAt(at)) && at - start < 3) {
                value = value * 10 + text.charAt(at++) - '0';
            }
            boolean leadingZero = at - start > 1 && text.charAt(start) == '0';
            boolean ends = part == 3 ? at == to : at < to && text.charAt(at++) == '.';
            if (at == start || !ends || value > 255 || leadingZero || !isDigit(text.charAt(start))) {
                return -1;
            }
            bits = (bits << 8) | value;
        }
        return bits;
    }

    /** Returns whether the range is an IPv6 address. */
    static boolean isV6(String text, int from, int to) {
        int groups = 0;
        boolean gap = false;
        int at = from;
        if (to - from >= 2 && text.charAt(from) == ':' && text.charAt(from + 1) != ':') {
            return false;
        }
        while (at < to) {
            if (text.charAt(at) == ':') {
                if (at + 1 < to && text.charAt(at + 1) == ':') {
                    if (gap || (at + 2 < to && text.charAt(at + 2) == ':')) {
                        return false;
                    }
                    gap = true;
                    at += 2;
                    continue;
                }
                if (++at == to || groups == 0) {
                    return false;
                }
            }
            int end = groupEnd(text, at, to);
            if (end < to && text.charAt(end) == '.') {
                groups += 2;
                at = v4(text, at, to) >= 0 ? to : -1;
            } else {
                groups++;
                at = end > at && end - at <= 4 && (end == to || text.charAt(end) == ':') ? end : -1;
            }
            if (at < 0 || groups > GROUPS) {
                return false;
            }
        }
        return gap ? groups < GROUPS : groups == GROUPS;
    }

    /** The upper or lower 64 bits of a range for which {@link #isV6} holds. */
    static long v6(String text, int from, int to, boolean upper) {
        long high = 0;
        long low = 0;
        int groups = 0;
        int gapAfter = -1;
        long headHigh = 0;
        long headLow = 0;
        int at = from;
        while (at < to) {
            if (text.charAt(at) == ':') {
                if (at + 1 < to && text.charAt(at + 1) == ':') {
                    gapAfter = groups;
                    headHigh = high;
                    headLow = low;
                    high = 0;
                    low = 0;
                    at++;
                }
                at++;
                continue;
            }
            int end = groupEnd(text, at, to);
            if (end < to && text.charAt(end) == '.') {
                high = (high << 32) | (low >>> 32);
                low = (low << 32) | v4(text, at, to);
                groups += 2;
                at = to;
            } else {
                high = (high << 16) | (low >>> 48);
                low = (low << 16) | hex(text, at, end);
                groups++;
                at = end;
            }
        }
        if (gapAfter <= 0) {
            return upper ? high : low;
        }
        int shift = 16 * (GROUPS - gapAfter);
        return upper ? high | shiftedHigh(headHigh, headLow, shift) : low | (shift < 64 ? headLow << shift : 0);
    }

    private static long shiftedHigh(long high, long low, int shift) {
        if (shift >= 64) {
            return low << (shift - 64);
        }
        return (high << shift) | (low >>> (64 - shift));
    }

    /** Returns whether these bits are an IPv4 address inside IPv6, {@code ::ffff:0:0/96}. */
    static boolean mapped(long high, long low) {
        return high == 0 && low >>> 32 == MAPPED;
    }

    static String textOfV4(long bits) {
        return (bits >>> 24) + "." + ((bits >>> 16) & 255) + "." + ((bits >>> 8) & 255) + "." + (bits & 255);
    }

    /** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups left out. */
    static String textOfV6(long high, long low) {
        int gap = -1;
        int gapLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = i;
            while (run < GROUPS && group(high, low, run) == 0) {
                run++;
            }
            if (run - i > gapLength) {
                gap = i;
                gapLength = run - i;
            }
            i = Math.max(i, run - 1);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            if (i > 0 && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(high, low, i)));
        }
        return text.toString();
    }

    private static int group(long high, long low, int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (16 * (3 - index % 4))) & 0xffff;
    }

    private static int groupEnd(String text, int at, int to) {
        int end = at;
        while (end < to && Character.digit(text.charAt(end), 16) >= 0 && text.charAt(end) < 128) {
            end++;
        }
        return end;
    }

    private static int hex(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = (value << 4) | Character.digit(text.charAt(i), 16);
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

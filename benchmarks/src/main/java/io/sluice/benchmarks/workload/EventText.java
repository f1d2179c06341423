package io.sluice.benchmarks.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Writes access-log entries as our agents do, about 191 bytes each. Seeded: the same calls give the same bytes. One thread. */
public final class EventText {
    private static final byte[] TIME = text("{\"time\":");
    private static final byte[] CALLER = text(",\"caller\":\"");
    private static final byte[] SERVICE = text("\",\"service\":\"");
    private static final byte[] ROUTE = text("\",\"route\":\"");
    private static final byte[] METHOD = text("\",\"method\":\"");
    private static final byte[] IP = text("\",\"ip\":\"10");
    private static final byte[] STATUS = text("\",\"status\":");
    private static final byte[] BYTES = text(",\"bytes\":");
    private static final byte[] MILLIS = text(",\"millis\":");
    private static final byte[] END = text(",\"outcome\":\"allowed\",\"type\":\"request\"}");

    private static final byte[][] SERVICES = texts("orders", "search", "basket", "users");
    private static final byte[][] ROUTES = texts(
            "/orders/{id}", "/orders", "/search", "/basket/{id}", "/items/{id}", "/items", "/users/{id}", "/login");
    private static final byte[][] METHODS = texts("GET", "GET", "GET", "POST");
    private static final byte[][] STATUSES = texts("200", "200", "200", "200", "200", "200", "404", "500");
    private static final int CALLER_DIGITS = 7;
    /** Odd: neighbours in number are none in address. */
    private static final int SCATTER = 0x9E3779B1;

    private final SplittableRandom random;
    private final byte[] line = new byte[512];
    private int at;

    public EventText(SplittableRandom random) {
        this.random = random;
    }

    /** The caller's name. */
    public static byte[] caller(int number) {
        byte[] name = new byte[1 + CALLER_DIGITS];
        name[0] = 'c';
        int rest = number;
        for (int i = CALLER_DIGITS; i > 0; i--) {
            name[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return name;
    }

    /** One request of a caller. */
    public byte[] next(long time, int number, byte[] caller) {
        at = 0;
        long dice = random.nextLong();
        put(TIME);
        put(time);
        put(CALLER);
        put(caller);
        put(SERVICE);
        put(pick(SERVICES, dice));
        put(ROUTE);
        put(pick(ROUTES, dice >>> 8));
        put(METHOD);
        put(pick(METHODS, dice >>> 16));
        put(IP);
        int address = number * SCATTER;
        for (int shift = 8; shift < 32; shift += 8) {
            line[at++] = '.';
            put((address >>> shift) & 0xff);
        }
        put(STATUS);
        put(pick(STATUSES, dice >>> 24));
        put(BYTES);
        put(200 + ((dice >>> 32) & 0x1fff));
        put(MILLIS);
        put(1 + ((dice >>> 48) & 0x3f));
        line[at++] = '.';
        put(100 + ((dice >>> 54) & 0x1ff));
        put(END);
        return Arrays.copyOf(line, at);
    }

    private static byte[] pick(byte[][] from, long dice) {
        return from[(int) (dice & (from.length - 1))];
    }

    private void put(byte[] text) {
        System.arraycopy(text, 0, line, at, text.length);
        at += text.length;
    }

    private void put(long number) {
        int end = at + 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            end++;
        }
        long rest = number;
        for (int i = end - 1; i >= at; i--) {
            line[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        at = end;
    }

    private static byte[][] texts(String... texts) {
        return Arrays.stream(texts).map(EventText::text).toArray(byte[][]::new);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

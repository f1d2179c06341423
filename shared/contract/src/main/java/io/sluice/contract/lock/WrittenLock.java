package io.sluice.contract.lock;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a lock as {@link GateLockJson} writes it: its fields in that order, no white space, plain ASCII, plain numbers.
 * What is anything else, however little, is left to the reader of any JSON; where this one has an answer, it is the same.
 *
 * <p>An agent reads every lock there is before it can be trusted, in a Java machine that has only just started: one pass
 * over the bytes that makes nothing but the lock.
 */
final class WrittenLock {
    // a long holds them, and so does a double without rounding
    private static final int MOST_DIGITS = 15;
    // shorter than any string that JSON documents of ours may hold
    private static final int MOST_BYTES = 8 * 1024;
    private static final double[] TENS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private static final byte[] POLICY = ascii("{\"policy\":");
    private static final byte[] SUBJECT = ascii(",\"subject\":[");
    private static final byte[] PER = ascii(",\"per\":[");
    private static final byte[] MODE = ascii(",\"mode\":");
    private static final byte[] RATE = ascii(",\"rate\":");
    private static final byte[] RATIO = ascii(",\"ratio\":");
    private static final byte[] TTL = ascii(",\"ttlMillis\":");
    private static final byte[] SINCE = ascii(",\"since\":");
    private static final byte[] UNTIL = ascii(",\"until\":");
    private static final byte[] LEVEL = ascii(",\"level\":");
    private static final byte[] SHADOW = ascii(",\"shadow\":true");
    private static final byte[] GUARDED = ascii(",\"guarded\":true");
    private static final byte[] EVIDENCE = ascii(",\"evidence\":{\"detector\":");
    private static final byte[] OBSERVED = ascii(",\"observed\":");
    private static final byte[] THRESHOLD = ascii(",\"threshold\":");
    private static final byte[] MEASURE = ascii(",\"measure\":");
    private static final byte[] WINDOW = ascii(",\"windowMillis\":");
    private static final byte[] SUM = ascii(",\"sum\":");
    private static final byte[] LOAD = ascii(",\"load\":");
    private static final byte[] CROSSED = ascii(",\"crossed\":");
    private static final byte[] DECIDED = ascii(",\"decided\":");
    private static final byte[] REVISION = ascii(",\"revision\":");
    private static final byte[] CLOSE = ascii("}");
    private static final byte[] VERSION = ascii(",\"version\":{\"task\":");
    private static final byte[] EPOCH = ascii(",\"epoch\":");
    private static final byte[] SEQ = ascii(",\"seq\":");
    private static final byte[] END = ascii("},\"type\":\"lock\",\"format\":1}");

    private final byte[] json;
    private int at;
    private boolean other;

    private WrittenLock(byte[] json) {
        this.json = json;
    }

    /** The lock, or {@code null} when it is not written like that. */
    static @Nullable GateLock read(byte[] json) {
        return json.length > MOST_BYTES ? null : new WrittenLock(json).lock();
    }

    private @Nullable GateLock lock() {
        String policy = name(POLICY, 64);
        skip(SUBJECT);
        List<String> subject = texts();
        List<String> per = skipped(PER) ? texts() : null;
        Mode mode = Mode.spelt(text(MODE));
        double rate = skipped(RATE) ? number() : 0;
        double ratio = skipped(RATIO) ? number() : 0;
        long ttl = whole(TTL);
        long since = whole(SINCE);
        long until = whole(UNTIL);
        long level = whole(LEVEL);
        boolean shadow = skipped(SHADOW);
        boolean guarded = skipped(GUARDED);
        Evidence evidence = skipped(EVIDENCE) ? evidence() : null;
        String task = name(VERSION, 128);
        long epoch = whole(EPOCH);
        long seq = whole(SEQ);
        skip(END);
        if (other || at != json.length || ratio > 1 || level > Integer.MAX_VALUE) {
            return null;
        }
        Version version = new Version(task, epoch, seq);
        return new GateLock(
                policy,
                subject,
                per,
                mode,
                rate,
                ratio,
                ttl,
                since,
                until,
                (int) level,
                shadow,
                guarded,
                evidence,
                version);
    }

    /** The rest of an array of strings. */
    private List<String> texts() {
        List<String> texts = new ArrayList<>(2);
        while (!other && at < json.length && json[at] != ']') {
            if (!texts.isEmpty()) {
                skip((byte) ',');
            }
            texts.add(text());
        }
        skip((byte) ']');
        return texts;
    }

    private Evidence evidence() {
        String detector = text();
        double observed = number(OBSERVED);
        double threshold = number(THRESHOLD);
        String measure = text(MEASURE);
        long window = whole(WINDOW);
        double sum = number(SUM);
        double load = number(LOAD);
        long crossed = whole(CROSSED);
        long decided = whole(DECIDED);
        String revision = text(REVISION);
        skip(CLOSE);
        return new Evidence(detector, observed, threshold, measure, window, sum, load, crossed, decided, revision);
    }

    private String name(byte[] before, int most) {
        String name = text(before);
        other |= name.isEmpty() || name.length() > most;
        return name;
    }

    private String text(byte[] before) {
        skip(before);
        return text();
    }

    private String text() {
        skip((byte) '"');
        int from = at;
        while (at < json.length && json[at] >= ' ' && json[at] < 0x7f && json[at] != '"' && json[at] != '\\') {
            at++;
        }
        String text = new String(json, from, at - from, StandardCharsets.ISO_8859_1);
        skip((byte) '"');
        return text;
    }

    private double number(byte[] before) {
        skip(before);
        return number();
    }

    /** Digits, and some behind a point: their quotient is the double next to the decimal, for both are exact. */
    private double number() {
        int from = at;
        long digits = whole();
        if (at == json.length || json[at] != '.') {
            return digits;
        }
        at++;
        int point = at;
        long all = digits(digits);
        other |= at == point || at - from - 1 > MOST_DIGITS;
        return other ? 0 : all / TENS[at - point];
    }

    private long whole(byte[] before) {
        skip(before);
        return whole();
    }

    private long whole() {
        int from = at;
        long whole = digits(0);
        // a number begins with 0 only if it is 0
        other |= at - from > 1 && json[from] == '0';
        return whole;
    }

    /** Goes on from what the digits before are worth. */
    private long digits(long before) {
        int from = at;
        long value = before;
        while (at < json.length && json[at] >= '0' && json[at] <= '9' && at - from <= MOST_DIGITS) {
            value = 10 * value + (json[at] - '0');
            at++;
        }
        other |= at == from || at - from > MOST_DIGITS;
        return value;
    }

    private void skip(byte expected) {
        if (at < json.length && json[at] == expected) {
            at++;
        } else {
            other = true;
        }
    }

    private void skip(byte[] expected) {
        other |= !skipped(expected);
    }

    private boolean skipped(byte[] expected) {
        int end = at + expected.length;
        if (end > json.length || !Arrays.equals(json, at, end, expected, 0, expected.length)) {
            return false;
        }
        at = end;
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

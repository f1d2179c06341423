package io.sluice.agent.http;

import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * How a verdict reads in HTTP: {@code Retry-After} (RFC 9110), the {@code RateLimit} fields
 * (draft-ietf-httpapi-ratelimit-headers, structured fields of RFC 9651) and a problem document (RFC 9457). Made of
 * numbers, fixed text and policy names alone, so nothing a client wrote comes back. Immutable and thread-safe.
 *
 * <p>{@code Retry-After} is never before the reset that {@code RateLimit} tells. Whole seconds are added to it at random,
 * up to a share of the wait and at most {@value #MOST_JITTER} s, so that those who were turned away together don't come
 * back together.
 */
public final class HttpSignals {
    /** Too Many Requests, RFC 6585: whatever turned the request away, shedding too. */
    public static final int REJECT_STATUS = 429;

    /** Media type of {@link #body}. */
    public static final String PROBLEM = "application/problem+json";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final double USUAL_JITTER = 0.25;
    private static final long MOST_JITTER = 60;
    // the largest Integer of a structured field: fifteen digits
    private static final long MOST = 999_999_999_999_999L;

    private final double jitter;
    private final boolean legacy;
    private final LongUnaryOperator below;

    /** A header field. */
    public record Field(String name, String value) {}

    HttpSignals(double jitter, boolean legacy, LongUnaryOperator below) {
        this.jitter = jitter;
        this.legacy = legacy;
        this.below = below;
    }

    /** With up to a quarter of the wait added to {@code Retry-After}, and without the legacy fields. */
    public static HttpSignals standard() {
        return new HttpSignals(
                USUAL_JITTER, false, bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    /**
     * With another jitter.
     *
     * @param share the most that is added to {@code Retry-After}, as a share of the wait and rounded up to a second: from
     *     0, none, to 1
     * @throws IllegalArgumentException when it is none of these
     */
    public HttpSignals jitter(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("jitter must be from 0 to 1, found " + share);
        }
        return new HttpSignals(share, legacy, below);
    }

    /**
     * With or without {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset} (in seconds
     * from now) beside the standard's fields, for clients that know only these.
     */
    public HttpSignals legacy(boolean newLegacy) {
        return new HttpSignals(jitter, newLegacy, below);
    }

    /** The fields to add to a response, allowed or rejected; empty when it is allowed and no limit was asked. */
    public List<Field> fields(Verdict verdict) {
        List<Field> fields = new ArrayList<>(8);
        Quota quota = verdict.quota();
        if (verdict instanceof Verdict.Rejected rejected) {
            fields.add(new Field("Retry-After", Long.toString(retryAfter(rejected))));
            fields.add(new Field("Cache-Control", "no-store"));
        }
        if (quota != null) {
            boolean timed = quota.unit() == Quota.Unit.REQUESTS;
            String name = '"' + plain(quota.policy()) + '"';
            String window = timed ? ";w=" + whole(1, quota.windowSeconds()) : ";qu=\"concurrent-requests\"";
            String reset = timed ? ";t=" + whole(0, quota.resetSeconds()) : "";
            fields.add(new Field("RateLimit-Policy", name + ";q=" + whole(0, quota.limit()) + window));
            fields.add(new Field("RateLimit", name + ";r=" + whole(0, quota.remaining()) + reset));
            if (legacy) {
                fields.add(new Field("X-RateLimit-Limit", whole(0, quota.limit())));
                fields.add(new Field("X-RateLimit-Remaining", whole(0, quota.remaining())));
                fields.add(new Field("X-RateLimit-Reset", whole(0, quota.resetSeconds())));
            }
        }
        return fields;
    }

    private long retryAfter(Verdict.Rejected rejected) {
        long millis = rejected.retryAfterMillis();
        long wait = millis / 1000 + (millis % 1000 > 0 ? 1 : 0);
        Quota quota = rejected.quota();
        long told = Math.min(MOST, Math.max(1, quota == null ? wait : Math.max(wait, quota.resetSeconds())));
        long most = (long) Math.min(MOST_JITTER, Math.ceil(told * jitter));
        return told + (most == 0 ? 0 : below.applyAsLong(most + 1));
    }

    /** The body of a rejection; write it as bytes, for a writer would add a charset to the media type. */
    public static byte[] body(Verdict.Rejected rejected) {
        return body(rejected, REJECT_STATUS);
    }

    /** The body of a rejection that has another status than {@value #REJECT_STATUS}. */
    public static byte[] body(Verdict.Rejected rejected, int status) {
        Problem problem = Problem.of(rejected);
        String json = "{\"type\":\"" + TYPES + problem.type + "\",\"title\":\"" + problem.title + "\",\"status\":"
                + status + ",\"violated-policies\":[\"" + plain(rejected.policy()) + "\"]}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private enum Problem {
        QUOTA("quota-exceeded", "Quota exceeded"),
        ABNORMAL("abnormal-usage-detected", "Abnormal usage detected"),
        CAPACITY("temporary-reduced-capacity", "Temporarily reduced capacity");

        final String type;
        final String title;

        Problem(String type, String title) {
            this.type = type;
            this.title = title;
        }

        static Problem of(Verdict.Rejected rejected) {
            if (rejected.reason() == Verdict.Reason.SHED || rejected.quota() == null) {
                // without a quota nothing was found against the caller: the agent can't tell, and the policy denies
                // then
                return CAPACITY;
            }
            return rejected.reason() == Verdict.Reason.LIMITED ? QUOTA : ABNORMAL;
        }
    }

    private static String whole(long least, long number) {
        return Long.toString(Math.min(MOST, Math.max(least, number)));
    }

    /** Policy names are of these characters anyway; a header does not depend on it. */
    private static String plain(String policy) {
        for (int i = 0; i < policy.length(); i++) {
            char c = policy.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
                return "policy";
            }
        }
        return policy;
    }
}

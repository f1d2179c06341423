package io.sluice.agent.http;

import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * Writes verdicts into HTTP responses: {@code Retry-After} (RFC 9110), the {@code RateLimit} fields (draft-ietf-httpapi-ratelimit-headers,
 * structured fields of RFC 9651) and a problem document (RFC 9457). Contains only numbers, fixed text and policy names, never text of a
 * client. Immutable and thread-safe.
 *
 * <p>{@code Retry-After} is never earlier than the reset in {@code RateLimit}. A random number of whole seconds is added, up to a share of the
 * wait and at most {@value #MOST_JITTER} s, so that clients that were rejected together do not return together.
 */
public final class HttpSignals {
    /** Too Many Requests (RFC 6585): the status of all rejections. */
    public static final int REJECT_STATUS = 429;

    /** Media type of {@link #body}. */
    public static final String PROBLEM = "application/problem+json";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final double USUAL_JITTER = 0.25;
    private static final long MOST_JITTER = 60;
    // the largest Integer of a structured field: fifteen digits
    private static final long MOST = 999_999_999_999_999L;

    // requests are the default
    private static final Map<Quota.Unit, String> UNITS = Map.of(
            Quota.Unit.REQUESTS, "",
            Quota.Unit.COST, ";qu=\"cost\"",
            Quota.Unit.CONCURRENT_REQUESTS, ";qu=\"concurrent-requests\"");

    private final double jitter;
    private final boolean legacy;
    private final LongUnaryOperator below;

    /**
     * A header field.
     *
     * @param name the field's name
     * @param value the field's value
     */
    public record Field(String name, String value) {}

    HttpSignals(double jitter, boolean legacy, LongUnaryOperator below) {
        this.jitter = jitter;
        this.legacy = legacy;
        this.below = below;
    }

    /**
     * Returns signals that add up to a quarter of the wait to {@code Retry-After}, without legacy fields.
     *
     * @return the default signals
     */
    public static HttpSignals standard() {
        return new HttpSignals(
                USUAL_JITTER, false, bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    /**
     * Sets the jitter.
     *
     * @param share the most that is added to {@code Retry-After}, as a share of the wait from 0 (none) to 1, rounded up to a second
     * @return a copy
     * @throws IllegalArgumentException when the share is out of range
     */
    public HttpSignals jitter(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("jitter must be from 0 to 1, found " + share);
        }
        return new HttpSignals(share, legacy, below);
    }

    /**
     * Sets whether {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset} (in seconds from now) are added for
     * clients that know only these.
     *
     * @param newLegacy whether to add them
     * @return a copy
     */
    public HttpSignals legacy(boolean newLegacy) {
        return new HttpSignals(jitter, newLegacy, below);
    }

    /**
     * Returns the fields to add to a response.
     *
     * @param verdict the verdict, allowed or rejected
     * @return the fields; empty when the request is allowed and no limit applied
     */
    public List<Field> fields(Verdict verdict) {
        List<Field> fields = new ArrayList<>(8);
        Quota quota = verdict.quota();
        if (verdict instanceof Verdict.Rejected rejected) {
            if (rejected.reason() != Verdict.Reason.EXCEEDS_LIMIT) {
                fields.add(new Field("Retry-After", Long.toString(retryAfter(rejected))));
            }
            fields.add(new Field("Cache-Control", "no-store"));
        }
        if (quota != null) {
            boolean timed = quota.unit().timed();
            String name = '"' + plain(quota.policy()) + '"';
            String unit = UNITS.get(quota.unit());
            String window = timed ? unit + ";w=" + whole(1, quota.windowSeconds()) : unit;
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

    /**
     * Returns the body of a rejection with status {@value #REJECT_STATUS}. Write it as bytes: a writer would add a charset to the media type.
     *
     * @param rejected the rejection
     * @return a problem document in UTF-8
     */
    public static byte[] body(Verdict.Rejected rejected) {
        return body(rejected, REJECT_STATUS);
    }

    /**
     * Returns the body of a rejection with another status.
     *
     * @param rejected the rejection
     * @param status the response's status
     * @return a problem document in UTF-8
     */
    public static byte[] body(Verdict.Rejected rejected, int status) {
        Problem problem = Problem.of(rejected);
        String json = "{\"type\":\"" + TYPES + problem.type + "\",\"title\":\"" + problem.title + "\",\"status\":"
                + status + ",\"violated-policies\":[\"" + plain(rejected.policy()) + "\"]}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private enum Problem {
        QUOTA("quota-exceeded", "Quota exceeded"),
        EXCESS("quota-exceeded", "Quota exceeded: the request costs more than the limit ever allows at once"),
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
                // without a quota the policy denies because the agent is degraded, not because of the caller
                return CAPACITY;
            }
            return switch (rejected.reason()) {
                case LIMITED, LIMITED_BY_SHARE -> QUOTA;
                case EXCEEDS_LIMIT -> EXCESS;
                case LOCKED, SHED -> ABNORMAL;
            };
        }
    }

    private static String whole(long least, long number) {
        return Long.toString(Math.min(MOST, Math.max(least, number)));
    }

    /** Returns the name if it has only characters of policy names, so that no header can be broken by another. */
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

package io.sluice.agent.http;

import io.sluice.agent.Quota;
import io.sluice.agent.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How a verdict reads in HTTP: {@code Retry-After} (RFC 9110), the {@code RateLimit} fields
 * (draft-ietf-httpapi-ratelimit-headers) and a problem document (RFC 9457). Made of numbers, fixed text and policy names
 * alone, so nothing a client wrote comes back. Stateless.
 */
public final class HttpSignals {
    /** Too Many Requests, RFC 6585. */
    public static final int REJECT_STATUS = 429;

    /** Media type of {@link #body}. */
    public static final String PROBLEM = "application/problem+json";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

    /** A header field. */
    public record Field(String name, String value) {}

    private HttpSignals() {}

    /** The fields to add to a response, allowed or rejected; empty when no limit was asked. */
    public static List<Field> fields(Verdict verdict) {
        List<Field> fields = new ArrayList<>(4);
        if (verdict instanceof Verdict.Rejected rejected) {
            fields.add(new Field("Retry-After", Long.toString(seconds(rejected.retryAfterMillis()))));
            fields.add(new Field("Cache-Control", "no-store"));
        }
        Quota quota = verdict.quota();
        if (quota != null) {
            String name = '"' + plain(quota.policy()) + '"';
            fields.add(new Field("RateLimit-Policy", name + ";q=" + quota.limit() + ";w=" + quota.windowSeconds()));
            fields.add(new Field("RateLimit", name + ";r=" + quota.remaining() + ";t=" + quota.resetSeconds()));
        }
        return fields;
    }

    /** The body of a rejection; write it as bytes, for a writer would add a charset to the media type. */
    public static byte[] body(Verdict.Rejected rejected) {
        boolean limited = rejected.reason() == Verdict.Reason.LIMITED;
        String json = "{\"type\":\"" + TYPES + (limited ? "quota-exceeded" : "abnormal-usage-detected")
                + "\",\"title\":\"" + (limited ? "Quota exceeded" : "Abnormal usage detected")
                + "\",\"status\":" + REJECT_STATUS + ",\"violated-policies\":[\"" + plain(rejected.policy()) + "\"]}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static long seconds(long millis) {
        return Math.max(1, (millis + 999) / 1000);
    }

    /** Policy names are of these characters anyway; a header does not depend on it. */
    private static String plain(String policy) {
        boolean harmless = policy.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
        return harmless ? policy : "policy";
    }
}

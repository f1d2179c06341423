package io.sluice.client;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Optional;

/** The fields {@code RateLimit} and {@code RateLimit-Policy} of draft-ietf-httpapi-ratelimit-headers. */
final class RateLimitFields {
    private RateLimitFields() {}

    /**
     * Returns for how many seconds a quota is used up: the longest of all limits with nothing remaining. A limit without a reset time is assumed to
     * need its policy's whole window.
     */
    static long exhaustedFor(HttpHeaders headers) {
        long longest = 0;
        for (StructuredFieldList.Member limit : members(headers, "RateLimit")) {
            Long remaining = limit.integers().get("r");
            if (remaining != null && remaining <= 0) {
                Long reset = limit.integers().get("t");
                longest = Math.max(longest, reset == null ? window(headers, limit.name()) : reset);
            }
        }
        return longest;
    }

    private static long window(HttpHeaders headers, String name) {
        long longest = 0;
        for (StructuredFieldList.Member policy : members(headers, "RateLimit-Policy")) {
            Long window = policy.integers().get("w");
            if (policy.name().equals(name) && window != null) {
                longest = Math.max(longest, window);
            }
        }
        return longest;
    }

    /** Parses a field. Several lines are one list; a field that cannot be parsed is ignored (RFC 9651, 4.2). */
    private static List<StructuredFieldList.Member> members(HttpHeaders headers, String field) {
        Optional<List<StructuredFieldList.Member>> list =
                StructuredFieldList.parse(String.join(", ", headers.allValues(field)));
        return list.orElse(List.of());
    }
}

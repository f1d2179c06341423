package io.sluice.sidecar;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.sluice.agent.http.HttpSignals;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers rate limit requests: one check and one status a descriptor; over the limit as soon as one of them is. All descriptors are asked for at
 * once. The headers to add are those that any other door would send: of the longest wait among the rejections, else of the limit with the least
 * left. Thread-safe.
 */
final class RateLimits {
    private final CheckService checks;
    private final DescriptorReader reader;
    private final HttpSignals signals = HttpSignals.standard();

    RateLimits(CheckService checks, DescriptorReader reader) {
        this.checks = checks;
        this.reader = reader;
    }

    /** Returns the response: complete unless a descriptor falls under a central store that has not answered yet. */
    CompletionStage<DelayedResponse<RateLimitResponse>> ask(RateLimitRequest request, boolean logged)
            throws UnreadableCheckException {
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        for (Check each : reader.read(request, logged)) {
            verdicts.add(checks.ask(each).toCompletableFuture());
        }
        return CompletableFuture.allOf(verdicts.toArray(CompletableFuture[]::new))
                .thenApply(nothing -> response(verdicts));
    }

    private DelayedResponse<RateLimitResponse> response(List<CompletableFuture<Verdict>> verdicts) {
        RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
        Verdict telling = Verdict.Allowed.FREELY;
        long delay = 0;
        for (CompletableFuture<Verdict> each : verdicts) {
            Verdict verdict = each.join();
            response.addStatuses(status(verdict));
            delay = Math.max(delay, verdict.delayNanos());
            telling = tellsMore(verdict, telling) ? verdict : telling;
        }
        for (HttpSignals.Field field : signals.fields(telling)) {
            response.addResponseHeadersToAdd(header(field.name(), field.value()));
        }
        if (telling instanceof Verdict.Rejected rejected) {
            response.addResponseHeadersToAdd(header("Content-Type", HttpSignals.PROBLEM))
                    .setRawBody(ByteString.copyFrom(HttpSignals.body(rejected)));
        }
        response.setOverallCode(telling.allowed() ? Code.OK : Code.OVER_LIMIT);
        return new DelayedResponse<>(response.build(), telling.allowed() ? delay : 0);
    }

    private static boolean tellsMore(Verdict verdict, Verdict than) {
        if (verdict instanceof Verdict.Rejected rejected) {
            return !(than instanceof Verdict.Rejected other) || rejected.retryAfterMillis() > other.retryAfterMillis();
        }
        Quota quota = verdict.quota();
        Quota other = than.quota();
        return than.allowed() && quota != null && (other == null || quota.remaining() < other.remaining());
    }

    private static HeaderValue header(String name, String value) {
        return HeaderValue.newBuilder().setKey(name).setValue(value).build();
    }

    private static DescriptorStatus status(Verdict verdict) {
        DescriptorStatus.Builder status =
                DescriptorStatus.newBuilder().setCode(verdict.allowed() ? Code.OK : Code.OVER_LIMIT);
        Quota quota = verdict.quota();
        if (quota != null) {
            status.setLimitRemaining((int) Math.min(quota.remaining(), 0xFFFF_FFFFL));
            RateLimit limit = limit(quota);
            if (limit != null) {
                status.setCurrentLimit(limit);
            }
        }
        if (verdict instanceof Verdict.Rejected rejected && rejected.reason() != Verdict.Reason.EXCEEDS_LIMIT) {
            long millis = rejected.retryAfterMillis();
            status.setDurationUntilReset(
                    Duration.newBuilder().setSeconds(millis / 1000).setNanos((int)
                            TimeUnit.MILLISECONDS.toNanos(millis % 1000)));
        } else if (verdict.allowed() && quota != null && quota.unit().timed()) {
            status.setDurationUntilReset(Duration.newBuilder().setSeconds(quota.resetSeconds()));
        }
        return status.build();
    }

    /** The limit's rate in the smallest of Envoy's units in which it is a whole number; {@code null} when there is none. */
    private static @Nullable RateLimit limit(Quota quota) {
        if (!quota.unit().timed()) {
            return null;
        }
        for (Unit unit : Unit.values()) {
            long rate = unit.rate(quota);
            if (rate >= 0 && rate <= 0xFFFF_FFFFL) {
                return RateLimit.newBuilder()
                        .setName(quota.policy())
                        .setRequestsPerUnit((int) rate)
                        .setUnit(unit.theirs)
                        .build();
            }
        }
        return null;
    }

    private enum Unit {
        SECOND(1, RateLimit.Unit.SECOND),
        MINUTE(60, RateLimit.Unit.MINUTE),
        HOUR(3_600, RateLimit.Unit.HOUR),
        DAY(86_400, RateLimit.Unit.DAY);

        private final double nanos;
        private final RateLimit.Unit theirs;

        Unit(long seconds, RateLimit.Unit theirs) {
            this.nanos = seconds * 1e9;
            this.theirs = theirs;
        }

        /** Returns a limit's permits per unit; -1 where that is no whole number. */
        private long rate(Quota quota) {
            double permits = quota.limit() * nanos;
            long rate = Math.round(permits / quota.windowNanos());
            if (rate == 0) {
                return quota.limit() == 0 ? 0 : -1;
            }
            // the window is rounded up to whole nanoseconds
            double off = quota.windowNanos() - permits / rate;
            return off >= -1e-12 * quota.windowNanos() && off < 1 ? rate : -1;
        }
    }
}

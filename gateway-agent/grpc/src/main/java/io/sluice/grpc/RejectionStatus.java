package io.sluice.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a rejection reads in gRPC: {@code RESOURCE_EXHAUSTED}, with a {@code google.rpc.RetryInfo} among the details. Made of numbers,
 * fixed text and the policy's name alone, so nothing a client wrote comes back.
 */
final class RejectionStatus {
    private static final int MILLIS = 1000;
    private static final int NANOS_A_MILLI = 1_000_000;
    private static final int SHARE = 4;
    private static final long MOST_JITTER_MILLIS = 60_000;

    private RejectionStatus() {}

    static void close(ServerCall<?, ?> call, Verdict.Rejected rejected) {
        Status.Builder status =
                Status.newBuilder().setCode(Code.RESOURCE_EXHAUSTED_VALUE).setMessage(message(rejected));
        if (rejected.reason() != Verdict.Reason.EXCEEDS_LIMIT) {
            status.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(delay(spread(rejected.retryAfterMillis())))
                    .build()));
        }
        StatusRuntimeException said = StatusProto.toStatusRuntimeException(status.build());
        Metadata trailers = said.getTrailers();
        call.close(said.getStatus(), trailers == null ? new Metadata() : trailers);
    }

    private static Duration delay(long millis) {
        return Duration.newBuilder()
                .setSeconds(millis / MILLIS)
                .setNanos((int) (millis % MILLIS) * NANOS_A_MILLI)
                .build();
    }

    /** Up to a quarter later, so that callers that were rejected together don't come back together. */
    private static long spread(long millis) {
        long most = Math.min(MOST_JITTER_MILLIS, millis / SHARE);
        return millis + ThreadLocalRandom.current().nextLong(most + 1);
    }

    private static String message(Verdict.Rejected rejected) {
        // without a quota nothing was found against the caller: the agent is degraded, and the policy denies then
        if (rejected.reason() == Verdict.Reason.SHED || rejected.quota() == null) {
            return "temporarily reduced capacity (policy " + rejected.policy() + ")";
        }
        String what = switch (rejected.reason()) {
            case LIMITED, LIMITED_BY_SHARE -> "quota exceeded";
            case EXCEEDS_LIMIT -> "quota exceeded: the request costs more than the limit ever allows at once";
            case LOCKED, SHED -> "abnormal usage detected";
        };
        return what + " (policy " + rejected.policy() + ")";
    }
}

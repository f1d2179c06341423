package io.sluice.quota.token;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.quota.token.TokenMessages.Charges;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The service {@code TokenServer} of quota.proto; it does not block. Thread-safe. */
public final class TokenService implements BindableService {
    /** The most charges of one message. */
    static final int MOST_CHARGES = 64;

    private final TokenTable table;
    private final LongAdder requests = new LongAdder();

    /**
     * Creates the service.
     *
     * @param table its buckets
     */
    public TokenService(TokenTable table) {
        this.table = table;
    }

    /**
     * Returns a clock that begins at the system's time and then only increases.
     *
     * @return nanoseconds since 1970
     */
    public static LongSupplier clock() {
        Instant start = Instant.now();
        long nanos = System.nanoTime();
        long epoch = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
        return () -> epoch + (System.nanoTime() - nanos);
    }

    /**
     * Returns how many requests were answered.
     *
     * @return since the start
     */
    public long requests() {
        return requests.sum();
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(TokenMessages.SERVICE)
                .addMethod(TokenMessages.ACQUIRE, ServerCalls.asyncUnaryCall(this::acquire))
                .addMethod(TokenMessages.ADJUST, ServerCalls.asyncUnaryCall(this::adjust))
                .addMethod(TokenMessages.REJOIN, ServerCalls.asyncUnaryCall(this::rejoin))
                .build();
    }

    private void acquire(Charges request, StreamObserver<QuotaAnswer> responses) {
        if (readable(request, responses)) {
            boolean positive = request.charges().stream().allMatch(charge -> charge.permits() >= 1);
            if (!positive) {
                responses.onError(Status.INVALID_ARGUMENT
                        .withDescription("permits are less than 1; Adjust takes such")
                        .asRuntimeException());
                return;
            }
            answer(table.acquire(request.charges(), request.failover()), responses);
        }
    }

    private void adjust(Charges request, StreamObserver<QuotaAnswer> responses) {
        if (readable(request, responses)) {
            table.adjust(request.charges(), request.failover());
            answer(QuotaAnswer.granted(0, 0), responses);
        }
    }

    private void rejoin(Charges request, StreamObserver<QuotaAnswer> responses) {
        table.rejoin();
        answer(QuotaAnswer.granted(0, 0), responses);
    }

    private static boolean readable(Charges request, StreamObserver<QuotaAnswer> responses) {
        if (request.charges().size() <= MOST_CHARGES) {
            return true;
        }
        responses.onError(Status.INVALID_ARGUMENT
                .withDescription(
                        "found " + request.charges().size() + " charges, 0 to " + MOST_CHARGES + " are allowed")
                .asRuntimeException());
        return false;
    }

    private void answer(QuotaAnswer answer, StreamObserver<QuotaAnswer> responses) {
        requests.increment();
        responses.onNext(answer);
        responses.onCompleted();
    }
}

package io.sluice.quota.chunks;

import io.sluice.agent.quota.PermitsAhead;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A strategy that takes permits of another one ahead, in chunks, so that most requests need no remote call. A chunk is sized by the subject's own
 * rate, gets smaller as the limit runs out, and is returned when it is not used. A refusal of the store is repeated for its wait, and asked for again
 * at the store at the latest after {@link ChunkOptions#ahead}.
 *
 * <p>Never more is granted than the store has granted. Permits may be used up to {@link ChunkOptions#idle} later than they were taken, so that a span
 * can have one chunk of each client more than the limit; and requests may be refused while another client holds a chunk. A client that crashes
 * loses at most one chunk for each subject. Permits of a chunk that may have returned at the store by themselves are not returned.
 *
 * <p>A correction first empties the subject's chunk, so that it is exact.
 */
public final class ChunkedQuota implements QuotaStrategy {
    private static final long CLOSE_MILLIS = 2_000;

    private final String name;
    private final QuotaStrategy store;
    private final ChunkTable chunks;
    private final long idleNanos;
    private final ScheduledExecutorService sweeper;
    private volatile boolean closed;

    /**
     * Wraps a strategy.
     *
     * @param name the name that policies use
     * @param store is closed with this
     * @param options how much to take ahead
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs until it is shut down
    public ChunkedQuota(String name, QuotaStrategy store, ChunkOptions options) {
        this.name = name;
        this.store = store;
        chunks = new ChunkTable(options.subjects(), options.ahead().toNanos());
        idleNanos = options.idle().toNanos();
        sweeper = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "sluice-quota-chunks");
            thread.setDaemon(true);
            return thread;
        });
        sweeper.scheduleWithFixedDelay(this::returnIdle, idleNanos / 2, idleNanos / 2, TimeUnit.NANOSECONDS);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Algorithm> algorithms() {
        return store.algorithms();
    }

    /** Returns what its chunks hold. Visits every chunk. */
    @Override
    public PermitsAhead ahead() {
        long held = chunks.all().stream().mapToLong(Chunk::held).sum();
        return new PermitsAhead(held, chunks.size(), chunks.beyond());
    }

    @Override
    public CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException(name + " is closed"));
        }
        return new Acquisition(store, chunks, charges).start();
    }

    @Override
    public CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException(name + " is closed"));
        }
        List<QuotaCharge> exact = new ArrayList<>();
        for (QuotaCharge correction : corrections) {
            Chunk chunk = chunks.existing(correction);
            long held = chunk == null ? 0 : chunk.drain(System.nanoTime());
            if (correction.permits() != held) {
                exact.add(new QuotaCharge(
                        correction.limit(), correction.subject(), correction.route(), correction.permits() - held));
            }
        }
        return exact.isEmpty() ? CompletableFuture.completedFuture(null) : store.adjust(exact);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a chunk that cannot be returned is lost
    private void returnIdle() {
        long now = System.nanoTime();
        for (Chunk chunk : chunks.all()) {
            if (chunk.retireIfIdle(now - idleNanos)) {
                chunks.remove(chunk);
                giveBack(chunk);
            }
        }
    }

    /** A correction that fails loses the chunk: the limit grants less, never more. */
    private CompletableFuture<Void> giveBack(Chunk chunk) {
        QuotaCharge correction = chunk.returned(System.nanoTime());
        if (correction == null) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return store.adjust(List.of(correction)).toCompletableFuture();
        } catch (RuntimeException | Error e) {
            // the sweeper would not run again
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns what is held, waits for it up to 2 s, and closes the store. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        sweeper.shutdownNow();
        CompletableFuture<?>[] returns =
                chunks.all().stream().map(this::giveBack).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(returns)
                .completeOnTimeout(null, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> null)
                .join();
        store.close();
    }
}

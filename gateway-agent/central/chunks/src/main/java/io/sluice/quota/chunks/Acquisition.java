package io.sluice.quota.chunks;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call: takes what its chunks hold, asks the store for what they lack, and puts back what was taken when that is refused. One call at a time
 * fetches for a chunk; the others wait for it and try again, three times at most, then ask the store for exactly their permits.
 */
final class Acquisition {
    private static final int MOST_WAITS = 3;

    private final QuotaStrategy store;
    private final ChunkTable table;
    private final List<QuotaCharge> charges;
    private final @Nullable Chunk[] chunks;
    private final long[] taken;
    private final List<Chunk> begun = new ArrayList<>();
    private int waits;

    Acquisition(QuotaStrategy store, ChunkTable table, List<QuotaCharge> charges) {
        this.store = store;
        this.table = table;
        this.charges = charges;
        chunks = new Chunk[charges.size()];
        taken = new long[charges.size()];
    }

    CompletableFuture<QuotaAnswer> start() {
        long now = System.nanoTime();
        for (QuotaCharge charge : charges) {
            if (charge.permits() > charge.limit().burst()) {
                // never granted: the store has the answer, and takes nothing
                return store.acquire(charges).toCompletableFuture();
            }
            Chunk chunk = table.of(charge, now);
            if (chunk == null) {
                table.countBeyond();
            } else {
                chunk.use(charge.permits(), now);
            }
        }
        return attempt();
    }

    private CompletableFuture<QuotaAnswer> attempt() {
        long now = System.nanoTime();
        List<Integer> lacking = takeHeld(now);
        if (lacking.isEmpty()) {
            return CompletableFuture.completedFuture(granted());
        }
        for (int index : lacking) {
            Chunk chunk = chunks[index];
            long wait = chunk == null ? 0 : chunk.refusedFor(lacks(index), now);
            if (wait > 0 && chunk != null) {
                putBack();
                return CompletableFuture.completedFuture(QuotaAnswer.refused(index, chunk.remaining(), wait));
            }
        }
        if (waits == MOST_WAITS) {
            return fetch(lacking, false);
        }
        for (int index : lacking) {
            Chunk chunk = chunks[index];
            if (chunk != null) {
                if (!chunk.begin()) {
                    endAll();
                    putBack();
                    waits++;
                    return chunk.fetched().thenCompose(ended -> attempt());
                }
                begun.add(chunk);
            }
        }
        return fetch(lacking, true).whenComplete((answer, failure) -> endAll());
    }

    /** Returns the indexes of the charges whose chunks hold too little. */
    private List<Integer> takeHeld(long now) {
        List<Integer> lacking = new ArrayList<>();
        for (int index = 0; index < charges.size(); index++) {
            QuotaCharge charge = charges.get(index);
            Chunk chunk = table.of(charge, now);
            long held = chunk == null ? 0 : chunk.take(charge.permits(), now);
            chunks[index] = held < 0 ? null : chunk;
            taken[index] = Math.max(0, held);
            if (lacks(index) > 0) {
                lacking.add(index);
            }
        }
        return lacking;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed
    private CompletableFuture<QuotaAnswer> fetch(List<Integer> lacking, boolean mayTakeAhead) {
        long askedAt = System.nanoTime();
        long[] ahead = new long[lacking.size()];
        List<QuotaCharge> asked = new ArrayList<>();
        boolean any = false;
        for (int i = 0; i < ahead.length; i++) {
            int index = lacking.get(i);
            Chunk chunk = chunks[index];
            QuotaCharge charge = charges.get(index);
            ahead[i] = mayTakeAhead && chunk != null
                    ? Math.min(chunk.ahead(), charge.limit().burst() - lacks(index))
                    : 0;
            any |= ahead[i] > 0;
            asked.add(new QuotaCharge(charge.limit(), charge.subject(), charge.route(), lacks(index) + ahead[i]));
        }
        boolean tookAhead = any;
        CompletableFuture<QuotaAnswer> answer;
        try {
            answer = store.acquire(asked).toCompletableFuture();
        } catch (RuntimeException | Error e) {
            // also a clash of libraries or a lack of threads: others wait for the end of this fetch
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((stored, failure) -> {
                    if (stored == null) {
                        putBack();
                        return CompletableFuture.<QuotaAnswer>failedFuture(failure);
                    }
                    if (stored.granted()) {
                        return CompletableFuture.completedFuture(filled(lacking, ahead, stored, askedAt));
                    }
                    if (tookAhead) {
                        learnLeft(chunks[lacking.get(stored.charge())], stored.remaining());
                        return fetch(lacking, false);
                    }
                    return CompletableFuture.completedFuture(refused(lacking, stored, askedAt));
                })
                .thenCompose(next -> next);
    }

    private QuotaAnswer filled(List<Integer> lacking, long[] ahead, QuotaAnswer stored, long askedAt) {
        for (int i = 0; i < ahead.length; i++) {
            Chunk chunk = chunks[lacking.get(i)];
            if (chunk != null) {
                // of the others at least as much is left as of the charge with the least
                chunk.fill(ahead[i], stored.remaining(), askedAt);
            }
        }
        int decided = lacking.get(stored.charge());
        QuotaAnswer held = lacking.size() == charges.size() ? null : granted();
        long left = stored.remaining() + ahead[stored.charge()];
        return held != null && held.remaining() < left ? held : QuotaAnswer.granted(decided, left);
    }

    private QuotaAnswer refused(List<Integer> lacking, QuotaAnswer stored, long askedAt) {
        int decided = lacking.get(stored.charge());
        Chunk chunk = chunks[decided];
        long left = stored.remaining() + taken[decided];
        if (chunk != null && stored.retryAfterNanos() != QuotaAnswer.NEVER) {
            chunk.refuse(lacks(decided), stored.remaining(), askedAt, System.nanoTime(), stored.retryAfterNanos());
        }
        putBack();
        return QuotaAnswer.refused(decided, left, stored.retryAfterNanos());
    }

    /** Returns the answer to charges whose permits were taken: the one with the least left decides. */
    private QuotaAnswer granted() {
        int decided = 0;
        long least = Long.MAX_VALUE;
        for (int index = 0; index < chunks.length; index++) {
            Chunk chunk = chunks[index];
            if (chunk != null && chunk.remaining() < least) {
                least = chunk.remaining();
                decided = index;
            }
        }
        return QuotaAnswer.granted(decided, least);
    }

    private long lacks(int index) {
        return charges.get(index).permits() - taken[index];
    }

    private void putBack() {
        for (int index = 0; index < taken.length; index++) {
            Chunk chunk = chunks[index];
            if (chunk != null && taken[index] > 0 && !chunk.putBack(taken[index])) {
                store.adjust(List.of(chunk.charge(-taken[index])));
            }
        }
    }

    private static void learnLeft(@Nullable Chunk chunk, long left) {
        if (chunk != null) {
            chunk.left(left);
        }
    }

    private void endAll() {
        begun.forEach(Chunk::end);
        begun.clear();
    }
}

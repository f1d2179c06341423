package io.sluice.analyzer.api;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers shared by clients that ask the same at nearly the same time: one is calculated, the other clients wait for its result without a thread, and for
 * half a second later ones receive it, too. So hundreds of pages cost as much as one. Thread-safe.
 *
 * <p>A bounded number of answers is calculated at once, and {@value #MOST_WAITING} clients wait for one; a question beyond either gets 503. At most
 * {@value #MOST_KEPT} answers of {@value #MOST_BYTES} bytes are kept. The oldest is dropped first.
 */
final class SharedAnswers {
    private static final Logger log = LoggerFactory.getLogger(SharedAnswers.class);

    /** How long an answer is given again, in nanoseconds. */
    static final long AGE_NANOS = 500_000_000L;

    static final int MOST_BYTES = 4 << 20;
    static final int MOST_KEPT = 256;
    /** Clients that wait for one answer. */
    static final int MOST_WAITING = 1_000;

    private final Semaphore turns;
    private final LongSupplier nanoTime;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final AtomicLongArray counts = new AtomicLongArray(Source.values().length);
    private long bytes;
    private long generation;

    /** Where an answer came from. */
    enum Source {
        /** Calculated for this client. */
        CALCULATED,
        /** Calculated for another client. */
        SHARED,
        /** Not calculated: 503. */
        REFUSED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A question that is being calculated, or its answer. */
    private static final class Entry {
        private final long generation;
        private List<Consumer<Answer>> waiting = new ArrayList<>();
        private @Nullable Answer answer;
        private long at;

        Entry(long generation, Consumer<Answer> first) {
            this.generation = generation;
            waiting.add(first);
        }
    }

    /** @param turns how many are calculated at once */
    SharedAnswers(Semaphore turns, LongSupplier nanoTime) {
        this.turns = turns;
        this.nanoTime = nanoTime;
    }

    /**
     * Gives an answer to a receiver, on this thread, the executor's or that of another client's question.
     *
     * @param key the same for questions with the same answer
     * @param work calculates it; may take its time
     */
    void give(String key, Executor executor, Supplier<Answer> work, Consumer<Answer> receiver) {
        Answer present = null;
        Entry mine = null;
        synchronized (this) {
            Entry entry = entries.get(key);
            if (entry != null && entry.answer != null && nanoTime.getAsLong() - entry.at < AGE_NANOS) {
                present = entry.answer;
            } else if (entry != null && entry.answer == null) {
                if (entry.waiting.size() < MOST_WAITING) {
                    entry.waiting.add(receiver);
                    add(Source.SHARED);
                    return;
                }
                present = Answer.problem(503, "too many clients wait for this answer");
            } else {
                remove(key);
                mine = new Entry(generation, receiver);
                entries.put(key, mine);
            }
        }
        if (present != null) {
            add(present.status() == 503 ? Source.REFUSED : Source.SHARED);
            receiver.accept(present);
        } else if (mine != null) {
            calculate(key, mine, executor, work);
        }
    }

    @SuppressWarnings("EnumOrdinal") // the places of an array
    private void add(Source source) {
        counts.incrementAndGet(source.ordinal());
    }

    /** Returns the number of answers so far. */
    @SuppressWarnings("EnumOrdinal") // the places of an array
    long count(Source source) {
        return counts.get(source.ordinal());
    }

    private void calculate(String key, Entry entry, Executor executor, Supplier<Answer> work) {
        if (!turns.tryAcquire()) {
            add(Source.REFUSED);
            complete(key, entry, Answer.problem(503, Turns.BUSY));
            return;
        }
        add(Source.CALCULATED);
        try {
            executor.execute(() -> {
                Answer answer = Answer.problem(500, "the request could not be answered");
                try {
                    answer = work.get();
                } catch (RuntimeException | Error e) {
                    log.warn("a request could not be answered", e);
                } finally {
                    turns.release();
                    complete(key, entry, answer);
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // the latter where the system gives no further thread
            turns.release();
            complete(key, entry, Answer.problem(503, Turns.NO_THREAD));
        }
    }

    private void complete(String key, Entry entry, Answer answer) {
        List<Consumer<Answer>> receivers;
        synchronized (this) {
            receivers = entry.waiting;
            entry.waiting = List.of();
            if (answer.status() == 200 && entry.generation == generation) {
                entry.answer = answer;
                entry.at = nanoTime.getAsLong();
                bytes += size(key, answer);
                evict();
            } else {
                entries.remove(key, entry);
            }
        }
        for (Consumer<Answer> receiver : receivers) {
            try {
                receiver.accept(answer);
            } catch (RuntimeException e) {
                // the others are to get theirs
                log.warn("an answer could not be sent", e);
            }
        }
    }

    private void evict() {
        Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
        while ((bytes > MOST_BYTES || entries.size() > MOST_KEPT) && oldest.hasNext()) {
            Map.Entry<String, Entry> one = oldest.next();
            Answer answer = one.getValue().answer;
            if (answer != null) {
                bytes -= size(one.getKey(), answer);
                oldest.remove();
            }
        }
    }

    private void remove(String key) {
        Entry old = entries.remove(key);
        if (old != null && old.answer != null) {
            bytes -= size(key, old.answer);
        }
    }

    /** Drops all answers: something was changed. Those that are being calculated are not given to later questions. */
    synchronized void clear() {
        generation++;
        bytes = 0;
        entries.clear();
    }

    /** Returns the size of all answers that are kept, in bytes. */
    synchronized long bytes() {
        return bytes;
    }

    /** Characters of the JDK's strings take two bytes at most. */
    private static long size(String key, Answer answer) {
        return 2L * (key.length() + answer.json().length()) + 128;
    }
}

package io.sluice.analyzer.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new processor for each incarnation of a task. Kafka Streams keeps a processor when a task is recycled, revived after a
 * corruption, or suspended and resumed, and calls its {@code init} again; a processor that is made in {@code init} has its stores in
 * final fields and nothing left over from an earlier incarnation. Neither are its ticks: Kafka Streams does not cancel
 * punctuations when it closes a processor, and a revived task keeps them.
 */
final class ProcessorPerTask implements Processor<byte[], byte[], Object, Object> {
    private final long tickMillis;
    private final Function<ProcessorContext<Object, Object>, Ticking> start;
    private @Nullable Ticking running;
    private @Nullable Cancellable ticks;

    /** A processor that is called at regular intervals of wall-clock time, too. */
    interface Ticking extends Processor<byte[], byte[], Object, Object> {
        void tick();
    }

    /**
     * @param tickMillis the time between two ticks, in milliseconds
     * @param start makes the processor of an incarnation
     */
    ProcessorPerTask(long tickMillis, Function<ProcessorContext<Object, Object>, Ticking> start) {
        this.tickMillis = tickMillis;
        this.start = start;
    }

    @Override
    public void init(ProcessorContext<Object, Object> context) {
        Ticking started = start.apply(context);
        running = started;
        // all tasks of a thread at once: after each punctuation, Kafka Streams halves the number of records between two
        // looks at all tasks
        ticks = context.schedule(
                Instant.EPOCH, Duration.ofMillis(tickMillis), PunctuationType.WALL_CLOCK_TIME, now -> started.tick());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (running == null) {
            throw new IllegalStateException("a record before the task began");
        }
        running.process(record);
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
            ticks = null;
        }
        if (running != null) {
            running.close();
            running = null;
        }
    }
}

package io.sluice.analyzer.topology;

import java.util.function.Function;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new processor for each life of a task. Kafka Streams keeps a processor when a task is recycled and calls its
 * {@code init} again; a processor that is made in {@code init} has its stores in final fields and nothing left over from
 * an earlier life.
 */
final class Started implements Processor<byte[], byte[], Object, Object> {
    private final Function<ProcessorContext<Object, Object>, Processor<byte[], byte[], Object, Object>> start;
    private @Nullable Processor<byte[], byte[], Object, Object> running;

    Started(Function<ProcessorContext<Object, Object>, Processor<byte[], byte[], Object, Object>> start) {
        this.start = start;
    }

    @Override
    public void init(ProcessorContext<Object, Object> context) {
        running = start.apply(context);
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
        if (running != null) {
            running.close();
            running = null;
        }
    }
}

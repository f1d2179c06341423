package io.sluice.analyzer.topology;

import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * The commit hook: what a processor keeps on the heap leaves right before its task commits, and is forgotten when the
 * task is lost.
 *
 * <p>Kafka Streams has no public call between "the last record was processed" and "its offsets are committed". It has one
 * for its own record caches: a store that is a {@link CachedStateStore} is flushed before the producer is flushed and
 * the offsets are committed, at every commit, when a partition is revoked, and at a clean close. This store holds nothing
 * itself; it passes those calls on. It must not claim to be persistent: Kafka wraps persistent stores, and which calls
 * the wrapper passes on is its own affair. A task that is recycled into a standby keeps this object and only calls {@link
 * #clearCache}. All internal types of Kafka Streams that the analyzer uses stand in this class.
 */
final class CombinerStore implements StateStore, CachedStateStore<Object, Object> {
    private final String name;
    private Runnable empty = CombinerStore::nothing;
    private Runnable apart = CombinerStore::nothing;
    private Runnable discard = CombinerStore::nothing;
    private boolean open;

    private CombinerStore(String name) {
        this.name = name;
    }

    /** For a topology: neither logged nor cached, so nothing wraps the store. */
    static StoreBuilder<CombinerStore> builder(String name) {
        return new Builder(name);
    }

    /**
     * Hooks a processor in; to be called in its {@code init}.
     *
     * @param commits of the thread
     * @param empty forwards everything that the processor holds back, and writes it to its stores
     * @param discard forgets it
     */
    void beforeCommit(ProcessorContext<?, ?> context, ThreadCommits commits, Runnable empty, Runnable discard) {
        InternalProcessorContext<?, ?> internal = (InternalProcessorContext<?, ?>) context;
        ProcessorNode<?, ?, ?, ?> node = internal.currentNode();
        apart.run();
        Runnable leave = () -> inside(internal, node, empty);
        commits.join(leave);
        this.discard = discard;
        this.empty = () -> commits.committing(leave);
        this.apart = () -> commits.part(leave);
    }

    /** The processor is closed: it must not be emptied when others of its thread are committed. */
    void afterClose() {
        apart.run();
        apart = CombinerStore::nothing;
    }

    /** Forwarding and writing to a logged store need a current node and a record context, and at a commit there is none. */
    private static void inside(InternalProcessorContext<?, ?> internal, ProcessorNode<?, ?, ?, ?> node, Runnable work) {
        ProcessorNode<?, ?, ?, ?> previousNode = internal.currentNode();
        ProcessorRecordContext previousRecord = internal.recordContext();
        internal.setCurrentNode(node);
        internal.setRecordContext(
                new ProcessorRecordContext(internal.currentSystemTimeMs(), -1, -1, null, new RecordHeaders()));
        try {
            work.run();
        } catch (TaskMigratedException | TaskCorruptedException e) {
            // Kafka Streams recovers from these by itself
            throw e;
        } catch (RuntimeException e) {
            throw failed(internal.taskId(), e);
        } finally {
            internal.setCurrentNode(previousNode);
            internal.setRecordContext(previousRecord);
        }
    }

    /**
     * Kafka Streams takes every other exception of a cache's flush for broken state of the task being committed. This may be
     * another task of the thread, and the cause a broker that did not answer.
     */
    private static StreamsException failed(TaskId task, RuntimeException cause) {
        // the task of the outer one is overwritten with that of the commit
        return new StreamsException(
                "the flush before a commit failed", new StreamsException("in task " + task, cause, task));
    }

    @Override
    public void flushCache() {
        empty.run();
    }

    @Override
    public void clearCache() {
        discard.run();
        unhook();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        discard.run();
        context.register(root, (key, value) -> {});
        open = true;
    }

    @Override
    public void close() {
        discard.run();
        unhook();
        open = false;
    }

    private static void nothing() {}

    /** The processor is gone; a standby must not write in its name. */
    private void unhook() {
        afterClose();
        empty = CombinerStore::nothing;
        discard = CombinerStore::nothing;
    }

    @Override
    public boolean setFlushListener(CacheFlushListener<Object, Object> listener, boolean sendOldValues) {
        return false;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    private record Builder(String name) implements StoreBuilder<CombinerStore> {
        @Override
        public CombinerStore build() {
            return new CombinerStore(name);
        }

        @Override
        public StoreBuilder<CombinerStore> withCachingEnabled() {
            throw new UnsupportedOperationException("it is a cache itself");
        }

        @Override
        public StoreBuilder<CombinerStore> withCachingDisabled() {
            return this;
        }

        @Override
        public StoreBuilder<CombinerStore> withLoggingEnabled(Map<String, String> config) {
            throw new UnsupportedOperationException("nothing in it outlives a commit");
        }

        @Override
        public StoreBuilder<CombinerStore> withLoggingDisabled() {
            return this;
        }

        @Override
        public Map<String, String> logConfig() {
            return Map.of();
        }

        @Override
        public boolean loggingEnabled() {
            return false;
        }
    }
}

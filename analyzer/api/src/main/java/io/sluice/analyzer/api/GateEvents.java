package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.LockEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.topic.TopicFollower;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The events of gate locks for subscribers. The last thousand events are kept for clients that reconnect. A subscription without room for
 * an event is cancelled: nothing here ever waits. No events are emitted until the topic has been read to its end: earlier subscriptions
 * begin at that end. Thread-safe.
 */
final class GateEvents implements TopicFollower.Listener {
    static final int KEPT = 1_024;
    /** The most locks that are kept to distinguish a new one from one that is written again. */
    private static final int REMEMBERED = 10_000;

    private final String topic;
    private final int mostListeners;
    private final LockValidity validity = new LockValidity();
    private final Map<List<String>, GateLock> last = new LinkedHashMap<>(16, 0.75f, true);
    private final Deque<GateEvent> kept = new ArrayDeque<>();
    private final OffsetVector read = new OffsetVector();
    private final OffsetVector forgotten = new OffsetVector();
    private final Set<EventStream> listeners = new HashSet<>();
    private boolean caughtUp;

    /** @param topic of gate locks */
    GateEvents(String topic, int mostListeners) {
        this.topic = topic;
        this.mostListeners = mostListeners;
    }

    @Override
    public synchronized void record(ConsumerRecord<byte[], byte[]> record) {
        if (!record.topic().equals(topic)) {
            return;
        }
        read.reach(record.partition(), record.offset());
        GateLock lock = lock(record);
        LockEvent kind = lock == null ? null : kind(lock, record.timestamp());
        if (lock != null && kind != null) {
            tell(new GateEvent(record.partition(), record.offset(), read.id(), kind, lock, record.timestamp()));
        }
    }

    private @Nullable GateLock lock(ConsumerRecord<byte[], byte[]> record) {
        try {
            return validity.admitted(record.partition(), record.key(), record.value())
                                            .orElse(null)
                                    instanceof GateLock lock
                            && lock.mode() != Mode.UNKNOWN
                    ? lock
                    : null;
        } catch (MalformedRecord e) {
            // agents skip unreadable records too
            return null;
        }
    }

    private @Nullable LockEvent kind(GateLock lock, long append) {
        GateLock before = last.put(GateKeys.of(lock), lock);
        if (last.size() > REMEMBERED) {
            last.remove(last.keySet().iterator().next());
        }
        if (before == null || before.since() != lock.since()) {
            return first(lock, append);
        }
        if (lock.mode() == Mode.OPEN) {
            return before.mode() == Mode.OPEN ? null : LockEvent.RELEASE;
        }
        return before.guarded() == lock.guarded() ? LockEvent.RENEW : LockEvent.of(lock);
    }

    /** Returns the event of the first record of a lock that is read. */
    private static LockEvent first(GateLock lock, long append) {
        if (lock.mode() == Mode.OPEN) {
            return LockEvent.RELEASE;
        }
        return LockEvent.isNew(lock, append) ? LockEvent.of(lock) : LockEvent.RENEW;
    }

    private void tell(GateEvent event) {
        kept.add(event);
        if (kept.size() > KEPT) {
            GateEvent oldest = kept.remove();
            forgotten.reach(oldest.partition(), oldest.offset());
        }
        if (caughtUp) {
            listeners.forEach(listener -> listener.hear(event));
        }
    }

    @Override
    public synchronized void caughtUp() {
        caughtUp = true;
        listeners.forEach(this::begin);
    }

    /** Offsets begin anew, so no earlier id is valid. */
    @Override
    public synchronized void again() {
        caughtUp = false;
        validity.reset();
        last.clear();
        kept.clear();
        read.clear();
        forgotten.clear();
        listeners.forEach(EventStream::loseAll);
    }

    /**
     * Begins to listen, after the event that the stream names, or with new events only.
     *
     * @return false when too many do already
     */
    synchronized boolean listen(EventStream stream) {
        if (listeners.size() >= mostListeners) {
            return false;
        }
        if (caughtUp) {
            begin(stream);
        }
        listeners.add(stream);
        return true;
    }

    private void begin(EventStream stream) {
        OffsetVector after = stream.after();
        List<GateEvent> missed = new ArrayList<>();
        if (after != null) {
            kept.stream()
                    .filter(event -> event.offset() > after.of(event.partition()))
                    .forEach(missed::add);
        }
        boolean gap = after != null && (forgotten.beyond(after) || after.beyond(read));
        stream.begin(new EventStream.Beginning(after == null ? read.id() : after.id(), gap), missed);
    }

    /** How many listen. */
    synchronized int listeners() {
        return listeners.size();
    }

    synchronized void leave(EventStream stream) {
        listeners.remove(stream);
    }
}

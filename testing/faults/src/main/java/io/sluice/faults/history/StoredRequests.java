package io.sluice.faults.history;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import java.util.BitSet;

/**
 * How many requests of one agent stand on the requests topic, and how many of them twice. A request is known by its {@code
 * bytes}, for which the host service of {@link io.sluice.faults.host} says the request's number. For histories that are too
 * long to be kept.
 */
public final class StoredRequests {
    private final BitSet numbers = new BitSet();
    private long count;
    private long twice;

    private StoredRequests() {}

    /** Reads the topic to its end. */
    public static StoredRequests of(String bootstrap, String topic, String agent) {
        StoredRequests stored = new StoredRequests();
        TopicHistory.read(bootstrap, topic, record -> stored.add(record.value(), agent));
        return stored;
    }

    private void add(byte[] value, String agent) {
        try {
            RequestEvent event = RequestEventReader.ours().read(value);
            if (agent.equals(event.agent())) {
                count += event.count();
                int number = (int) event.bytes();
                twice += event.count() == 1 && numbers.get(number) ? 1 : 0;
                numbers.set(number);
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException("an agent wrote what can't be read", e);
        }
    }

    /** All that were stored; one that was stored twice counts twice. */
    public long count() {
        return count;
    }

    /** How many were stored more than once. */
    public long twice() {
        return twice;
    }
}

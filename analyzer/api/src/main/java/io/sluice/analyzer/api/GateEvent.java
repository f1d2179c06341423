package io.sluice.analyzer.api;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Something that happened to a gate lock, as a server-sent event.
 *
 * @param id the offsets of all partitions of the topic: a client that reconnects with it gets what came after
 */
record GateEvent(int partition, long offset, String id, Kind kind, GateLock lock, long append) {

    /** Kinds of events. */
    enum Kind {
        OPEN,
        RENEW,
        RELEASE,
        GUARD
    }

    byte[] text() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        String data = Answer.text(to -> Answer.record(GateLockJson.write(lock), append, to));
        return ("id: " + id + "\nevent: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}

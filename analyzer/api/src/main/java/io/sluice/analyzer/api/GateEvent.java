package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.LockEvent;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import java.nio.charset.StandardCharsets;

/**
 * Something that happened to a gate lock, as a server-sent event.
 *
 * @param id the offsets of all partitions of the topic: a client that reconnects with it gets what came after
 */
record GateEvent(int partition, long offset, String id, LockEvent kind, GateLock lock, long append) {

    byte[] text() {
        String data = Answer.text(to -> Answer.record(GateLockJson.write(lock), append, to));
        return ("id: " + id + "\nevent: " + kind.spelling() + "\ndata: " + data + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}

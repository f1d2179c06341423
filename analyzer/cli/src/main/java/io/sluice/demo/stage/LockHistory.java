package io.sluice.demo.stage;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.topic.TopicFollower;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** All locks that were ever written to gate-locks, in the order in which they opened. Thread-safe. */
public final class LockHistory implements TopicFollower.Listener {
    private final List<SeenLock> locks = new ArrayList<>();

    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return;
        }
        try {
            GateLockJson.read(record.value()).ifPresent(read -> {
                if (read instanceof GateLock lock) {
                    add(lock, record.timestamp());
                }
            });
        } catch (MalformedRecord e) {
            // the agents count it; for what is shown here it is no lock
            return;
        }
    }

    /** @param appended when the broker took it, epoch milliseconds */
    synchronized void add(GateLock lock, long appended) {
        for (int i = locks.size() - 1; i >= 0; i--) {
            SeenLock seen = locks.get(i);
            if (seen.opened().policy().equals(lock.policy())
                    && seen.opened().subject().equals(lock.subject())) {
                if (lock.mode() == Mode.OPEN) {
                    locks.set(
                            i,
                            new SeenLock(
                                    seen.opened(), seen.until(), seen.released() == 0 ? appended : seen.released()));
                    return;
                }
                if (lock.since() == seen.opened().since()) {
                    locks.set(i, new SeenLock(seen.opened(), lock.until(), 0));
                    return;
                }
                break;
            }
        }
        if (lock.mode() != Mode.OPEN) {
            locks.add(new SeenLock(lock, lock.until(), 0));
        }
    }

    @Override
    public void caughtUp() {}

    @Override
    public synchronized void again() {
        locks.clear();
    }

    /** The locks so far. */
    public synchronized List<SeenLock> locks() {
        return List.copyOf(locks);
    }
}

package io.sluice.analyzer.cli;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What happened to gates, told from the records that analyzer and operators wrote. The topics are compacted: of each subject only
 * the last record is sure to be kept. Thread-safe.
 */
final class GateJournal {
    /** The first record of a lock is written at once; one that comes so much later is not the first. */
    private static final long AT_ONCE_MILLIS = 5_000;

    private final String operatorTopic;
    private final List<GateEvent> events = new ArrayList<>();
    private final Map<String, Open> open = new HashMap<>();
    private final Set<String> released = new HashSet<>();
    private final WholeSince whole = new WholeSince();

    /** A gate that is closed, or held open by an operator. */
    private record Open(String policy, List<String> subject, String by, long since, long until, long end) {}

    GateJournal(TopicNames topics) {
        operatorTopic = topics.operator();
    }

    synchronized void accept(ConsumerRecord<byte[], byte[]> record) {
        whole.accept(record.topic(), record.partition(), record.offset(), record.timestamp());
        if (record.key() == null) {
            return;
        }
        String key = record.topic() + new String(record.key(), StandardCharsets.UTF_8);
        try {
            if (record.topic().equals(operatorTopic)) {
                operator(key, record);
            } else if (record.value() != null
                    && GateLockJson.read(record.value()).orElse(null) instanceof GateLock lock) {
                gate(key, lock, record.timestamp());
            }
        } catch (MalformedRecord e) {
            // nobody obeys what can't be read, so nothing happened
        }
    }

    private void gate(String key, GateLock lock, long append) {
        Open before = open.get(key);
        boolean same = before != null && before.since == lock.since();
        if (lock.mode() == Mode.OPEN) {
            open.remove(key);
            if (released.add(key + lock.since())) {
                String held = "after " + Spans.text(lock.until() - lock.since());
                tell(
                        lock.until(),
                        GateEvent.What.RELEASED,
                        lock,
                        same ? held : held + "; when it was locked is compacted away");
            }
            return;
        }
        if (before == null || !same) {
            if (before != null) {
                expired(before, Math.min(before.end, lock.since()));
            }
            tell(lock.since(), GateEvent.What.LOCKED, lock, opened(lock, append));
        } else if (lock.until() > before.until) {
            tell(append, GateEvent.What.RENEWED, lock, "until " + Spans.time(lock.until()));
        }
        long end = Math.max(lock.until(), append + lock.ttlMillis());
        open.put(key, new Open(lock.policy(), lock.subject(), "analyzer", lock.since(), lock.until(), end));
    }

    private static String opened(GateLock lock, long append) {
        Evidence evidence = lock.evidence();
        String reports = lock.enforced() ? "" : lock.guarded() ? ", only reported (guard)" : ", only reported";
        return lock.mode().spelling()
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "")
                + (lock.level() > 1 ? ", repeat " + lock.level() : "")
                + reports
                + (evidence == null ? "" : ": " + EvidenceText.seen(evidence))
                + (append - lock.since() > AT_ONCE_MILLIS
                        ? "; what was written before " + Spans.time(append) + " is compacted away"
                        : "");
    }

    private void tell(long at, GateEvent.What what, GateLock lock, String more) {
        events.add(new GateEvent(at, what, lock.policy(), lock.subject(), "analyzer", more));
    }

    private void operator(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        long append = record.timestamp();
        Open before = open.remove(key);
        if (before != null && before.end <= append) {
            expired(before, before.end);
        }
        Optional<OperatorRecord> read =
                record.value() == null ? Optional.empty() : OperatorJson.read(record.key(), record.value());
        if (read.isEmpty()) {
            return;
        }
        OperatorRecord said = read.get();
        String span = said.ttlMillis() == 0 ? "" : " for " + Spans.text(said.ttlMillis());
        if (said instanceof OperatorRecord.Lock lock) {
            String rate = lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "";
            tell(
                    append,
                    GateEvent.What.LOCKED,
                    lock.policy(),
                    lock.subject(),
                    said,
                    lock.mode().spelling() + rate + span);
            hold(key, lock.policy(), lock.subject(), said, append);
        } else if (said instanceof OperatorRecord.Release release) {
            tell(append, GateEvent.What.RELEASED, release.policy(), release.subject(), said, "no new lock" + span);
            hold(key, release.policy(), release.subject(), said, append);
        } else if (said instanceof OperatorRecord.Enforce enforce) {
            @Nullable String agent = enforce.agent();
            String what =
                    "enforcement " + (enforce.enforce() ? "on" : "off") + (agent == null ? "" : " at agent " + agent);
            tell(append, GateEvent.What.SWITCHED, "", List.of(), said, what + span);
        }
    }

    private void tell(
            long at, GateEvent.What what, String policy, List<String> subject, OperatorRecord said, String more) {
        events.add(new GateEvent(at, what, policy, subject, said.author(), more + ": " + said.reason()));
    }

    private void hold(String key, String policy, List<String> subject, OperatorRecord said, long append) {
        long end = HeldLock.end(said, append);
        open.put(key, new Open(policy, subject, said.author(), append, end, end));
    }

    private void expired(Open gate, long at) {
        events.add(expiry(gate, at));
    }

    private static GateEvent expiry(Open gate, long at) {
        return new GateEvent(
                at, GateEvent.What.EXPIRED, gate.policy, gate.subject, gate.by, "after " + Spans.text(at - gate.since));
    }

    /**
     * All that is known, oldest first.
     *
     * @param now broker time: what has ended by then has expired
     */
    synchronized List<GateEvent> events(long now) {
        List<GateEvent> all = new ArrayList<>(events);
        open.values().stream().filter(gate -> gate.end <= now).forEach(gate -> all.add(expiry(gate, gate.end)));
        all.sort(Comparator.comparingLong(GateEvent::at));
        return all;
    }

    /** From when on nothing is missing, broker time in epoch milliseconds; 0: nothing is missing. */
    synchronized long wholeSince() {
        return whole.time();
    }
}

package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.decision.OperatorAction;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class DecisionHistoryTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final long T = 1_763_700_000_000L;
    private static final long MINUTE = 60_000;

    private final List<DecisionLog.Entry> entries = new ArrayList<>();
    private final FleetState view = new FleetState(TOPICS, 10 * MINUTE);

    @Test
    void events_lockThatWasReleased_tellsWhyItOpenedAndWhyItEnded() {
        transition(LockTransition.Event.OPENED, null, T, lock(T, T + 5 * MINUTE));
        transition(LockTransition.Event.RELEASED, LockTransition.Cause.DEMAND, T + MINUTE, lock(T, T + MINUTE));

        assertThat(events(T + 60 * MINUTE))
                .containsExactly(
                        T + " LOCKED analyzer block: 131 requests in 10s, allowed 100",
                        (T + MINUTE) + " RELEASED analyzer after 1m: demand fell");
    }

    @Test
    void events_suppressedTransitions_areTold() {
        entries.add(new DecisionLog.Entry(
                new LockTransition(LockTransition.Event.EXPIRED, null, T + MINUTE, lock(T, T + MINUTE), 1_200), T));

        assertThat(events(T + MINUTE))
                .containsExactly(
                        (T + MINUTE) + " EXPIRED analyzer after 1m; 1,200 changes before this one were not recorded");
    }

    /** The lock of an hour had a lease of ten minutes, and its analyzer died. */
    @Test
    void events_leaseThatNobodyRenewed_endsTheLock() {
        GateLock lock = lock(T, T + 60 * MINUTE);
        transition(LockTransition.Event.OPENED, null, T, lock);
        view.record(record(lock, T));

        assertThat(events(T + 10 * MINUTE - 1)).hasSize(1);
        assertThat(events(T + 50 * MINUTE))
                .last()
                .isEqualTo((T + 10 * MINUTE) + " EXPIRED analyzer after 10m: its lease ended");
    }

    @Test
    void events_secondLockWithoutAnEndOfTheFirst_endsTheFirst() {
        transition(LockTransition.Event.OPENED, null, T, lock(T, T + MINUTE));
        transition(LockTransition.Event.OPENED, null, T + 3 * MINUTE, lock(T + 3 * MINUTE, T + 30 * MINUTE));

        assertThat(events(T + 4 * MINUTE))
                .extracting(event -> event.split(" ", -1)[1])
                .containsExactly("LOCKED", "EXPIRED", "LOCKED");
    }

    @Test
    void events_operators_areNamedWithTheirReasonAndEndAtTheirTime() {
        operator(new OperatorRecord.Lock("noisy", List.of("acme"), Mode.BLOCK, 0, MINUTE, "ann", "incident", T), T);
        operator(new OperatorRecord.Enforce(null, false, 0, "eve", "panic", T), T + 40_000);

        assertThat(events(T + MINUTE - 1))
                .containsExactly(
                        T + " LOCKED ann block for 1m: incident",
                        (T + 40_000) + " SWITCHED eve enforcement off: panic");
        assertThat(events(T + MINUTE)).last().isEqualTo((T + MINUTE) + " EXPIRED ann after 1m");
    }

    @Test
    void events_operatorsReleaseOfALock_replacesIt() {
        operator(new OperatorRecord.Lock("noisy", List.of("acme"), Mode.BLOCK, 0, MINUTE, "ann", "incident", T), T);
        operator(new OperatorRecord.Release("noisy", List.of("acme"), 0, "bob", "sorry", T), T + 30_000);

        assertThat(new DecisionHistory(entries).events(T + 60 * MINUTE, view))
                .extracting(GateEvent::what, GateEvent::by)
                .containsExactly(tuple(GateEvent.What.LOCKED, "ann"), tuple(GateEvent.What.RELEASED, "bob"));
    }

    private List<String> events(long now) {
        return new DecisionHistory(entries)
                .events(now, view).stream()
                        .map(event -> event.at() + " " + event.what() + " " + event.by() + " " + event.more())
                        .toList();
    }

    private void transition(LockTransition.Event event, LockTransition.Cause cause, long at, GateLock lock) {
        entries.add(new DecisionLog.Entry(new LockTransition(event, cause, at, lock), at));
    }

    private void operator(OperatorRecord said, long append) {
        entries.add(new DecisionLog.Entry(new OperatorAction(said), append));
    }

    private static GateLock lock(long since, long until) {
        return new GateLock(
                "noisy",
                List.of("acme"),
                Mode.BLOCK,
                0,
                0,
                60 * MINUTE,
                since,
                until,
                1,
                false,
                false,
                new Evidence("above", 131, 100, "requests", 10_000, 131, 0, since, since, "r"),
                new Version("decide-0", 1, 1));
    }

    private static ConsumerRecord<byte[], byte[]> record(GateLock lock, long append) {
        return new ConsumerRecord<>(
                TOPICS.gateLocks(),
                0,
                0,
                append,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                CompositeKey.bytes(GateKeys.of(lock)),
                GateLockJson.write(lock),
                new RecordHeaders(),
                Optional.empty());
    }
}

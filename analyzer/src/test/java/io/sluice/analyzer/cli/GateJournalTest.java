package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.topic.TopicNames;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class GateJournalTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final long T = 1_763_700_000_000L;
    private static final long MINUTE = 60_000;

    private final GateJournal journal = new GateJournal(TOPICS);
    private long offset;

    @Test
    void aLockThatIsRenewedAndReleasedIsToldInItsOrder() {
        lock(Mode.BLOCK, T, T + 5 * MINUTE, T);
        lock(Mode.BLOCK, T, T + 6 * MINUTE, T + MINUTE);
        lock(Mode.OPEN, T, T + 2 * MINUTE, T + 2 * MINUTE);

        assertThat(journal.events(T + 60 * MINUTE))
                .extracting(GateEvent::what, GateEvent::at)
                .containsExactly(
                        tuple(GateEvent.What.LOCKED, T),
                        tuple(GateEvent.What.RENEWED, T + MINUTE),
                        tuple(GateEvent.What.RELEASED, T + 2 * MINUTE));
        assertThat(journal.wholeSince()).isZero();
    }

    @Test
    void aLockThatWasOnlyWrittenAgainIsNotRenewed() {
        lock(Mode.BLOCK, T, T + 30 * MINUTE, T);
        lock(Mode.BLOCK, T, T + 30 * MINUTE, T + 3 * MINUTE);

        assertThat(journal.events(T + 4 * MINUTE)).extracting(GateEvent::what).containsExactly(GateEvent.What.LOCKED);
    }

    @Test
    void aLockExpiresAtItsEndAndNotBefore() {
        lock(Mode.BLOCK, T, T + 5 * MINUTE, T);

        assertThat(whats(T + 5 * MINUTE - 1)).containsExactly(GateEvent.What.LOCKED);
        assertThat(whats(T + 5 * MINUTE)).containsExactly(GateEvent.What.LOCKED, GateEvent.What.EXPIRED);
        assertThat(whats(T + 5 * MINUTE + 1)).containsExactly(GateEvent.What.LOCKED, GateEvent.What.EXPIRED);
    }

    @Test
    void aSecondLockTellsThatTheFirstHasExpired() {
        lock(Mode.BLOCK, T, T + MINUTE, T);
        lock(Mode.BLOCK, T + 3 * MINUTE, T + 8 * MINUTE, T + 3 * MINUTE);

        assertThat(whats(T + 4 * MINUTE))
                .containsExactly(GateEvent.What.LOCKED, GateEvent.What.EXPIRED, GateEvent.What.LOCKED);
    }

    @Test
    void whatCompactionTookIsSaid() {
        offset = 7;
        lock(Mode.BLOCK, T, T + 30 * MINUTE, T + 10 * MINUTE);
        offset = 20;
        release("globex", T, T + 12 * MINUTE);

        assertThat(journal.events(T + 13 * MINUTE))
                .extracting(GateEvent::more)
                .anyMatch(more -> more.contains("what was written before") && more.contains("is compacted away"))
                .anyMatch(more -> more.contains("when it was locked is compacted away"));
        assertThat(journal.wholeSince()).isEqualTo(T + 12 * MINUTE);
    }

    @Test
    void operatorsAreNamedWithTheirReason() {
        operator(new OperatorRecord.Lock("noisy", List.of("acme"), Mode.BLOCK, 0, MINUTE, "ann", "incident", T), T);
        operator(new OperatorRecord.Release("noisy", List.of("acme"), 10 * MINUTE, "bob", "sorry", T), T + 30_000);
        operator(new OperatorRecord.Enforce(null, false, 0, "eve", "panic", T), T + 40_000);

        assertThat(journal.events(T + 2 * MINUTE))
                .extracting(event -> event.what() + " " + event.by() + " " + event.more())
                .containsExactly(
                        "LOCKED ann block for 1m: incident",
                        "RELEASED bob no new lock for 10m: sorry",
                        "SWITCHED eve enforcement off: panic");
    }

    private List<GateEvent.What> whats(long now) {
        return journal.events(now).stream().map(GateEvent::what).toList();
    }

    private void release(String caller, long since, long append) {
        write(lockOf(caller, Mode.OPEN, since, append), append);
    }

    private void lock(Mode mode, long since, long until, long append) {
        write(lockOf("acme", mode, since, until), append);
    }

    private static GateLock lockOf(String caller, Mode mode, long since, long until) {
        return new GateLock(
                "noisy",
                List.of(caller),
                mode,
                0,
                0,
                1_000,
                since,
                until,
                1,
                false,
                false,
                null,
                new Version("0", 1, 1));
    }

    private void write(GateLock lock, long append) {
        accept(TOPICS.gateLocks(), CompositeKey.bytes(GateKeys.of(lock)), GateLockJson.write(lock), append);
    }

    private void operator(OperatorRecord said, long append) {
        accept(TOPICS.operator(), CompositeKey.bytes(OperatorJson.key(said)), OperatorJson.write(said), append);
    }

    private void accept(String topic, byte[] key, byte[] value, long append) {
        journal.accept(new ConsumerRecord<>(
                topic,
                0,
                offset++,
                append,
                TimestampType.LOG_APPEND_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty()));
    }
}

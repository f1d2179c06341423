package io.sluice.demo.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLockJson;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class LockHistoryTest {
    private final LockHistory history = new LockHistory();

    @Test
    void aLockHoldsUntilItsEnd() {
        history.add(Locks.block("acme", 1000, 16_000), 1001);

        SeenLock lock = history.locks().get(0);
        assertThat(lock.caller()).isEqualTo("acme");
        assertThat(lock.crossed()).isEqualTo(800);
        assertThat(lock.holds(15_999)).isTrue();
        assertThat(lock.holds(16_000)).isFalse();
    }

    @Test
    void aRenewalProlongsTheSameLock() {
        history.add(Locks.block("acme", 1000, 16_000), 1001);
        history.add(Locks.block("acme", 1000, 26_000), 11_001);

        assertThat(history.locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.until()).isEqualTo(26_000));
    }

    @Test
    void aReleaseEndsItAndIsCountedOnce() {
        history.add(Locks.block("acme", 1000, 16_000), 1001);
        history.add(Locks.open("acme", 9000), 9001);
        history.add(Locks.open("acme", 9000), 9500);

        assertThat(history.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.released()).isEqualTo(9001);
            assertThat(lock.holds(9001)).isFalse();
        });
    }

    @Test
    void aLockAfterAReleaseIsAnotherOne() {
        history.add(Locks.block("acme", 1000, 16_000), 1001);
        history.add(Locks.open("acme", 9000), 9001);
        history.add(Locks.block("acme", 20_000, 35_000), 20_001);

        assertThat(history.locks()).hasSize(2);
        assertThat(history.locks().get(1).released()).isZero();
    }

    @Test
    void subjectsDoNotMix() {
        history.add(Locks.block("acme", 1000, 16_000), 1001);
        history.add(Locks.open("amber", 9000), 9001);

        assertThat(history.locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.released()).isZero());
    }

    @Test
    void tombstonesAndRubbishAreNoLocks() {
        history.record(new ConsumerRecord<>("locks", 0, 0, new byte[0], null));
        history.record(new ConsumerRecord<>("locks", 0, 1, new byte[0], "{".getBytes(StandardCharsets.UTF_8)));
        history.record(
                new ConsumerRecord<>("locks", 0, 2, new byte[0], GateLockJson.write(Locks.block("acme", 1000, 2000))));

        assertThat(history.locks()).hasSize(1);
    }
}

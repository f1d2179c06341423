package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** No lock outlives its lease: not when its record is read again, and not when the machine sleeps. */
final class LeaseEndTest {
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    private static final long LEASE = 90_000;
    private static final long HEARTBEAT = 5_000;
    private static final long HOURS = 8 * 3_600_000L;

    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();

    private record Appended(GateRecord record, long append) {}

    private void ownHeartbeat() {
        gates.decisions.anchored(gates.brokerNow(), gates.now());
    }

    private Appended lock() {
        Appended lock =
                new Appended(gates.lockOf("noisy", "acme", Mode.BLOCK, LEASE, gates.version(1)), gates.brokerNow());
        deliver(lock);
        return lock;
    }

    private void deliver(Appended appended) {
        gates.decisions.gateRecord(0, appended.record, appended.append, gates.now());
    }

    private void readAgain(List<Appended> all) {
        gates.decisions.again();
        all.forEach(this::deliver);
        gates.decisions.caughtUp();
    }

    @Test
    void lockOfADeadAnalyzer_readAgainTwice_endsWithItsLease() {
        List<Appended> topic = List.of(lock());
        for (long at = HEARTBEAT; at <= 300_000; at += HEARTBEAT) {
            gates.forward(HEARTBEAT);
            ownHeartbeat();
            if (at == 105_000 || at == 170_000) {
                readAgain(topic);
            }
            gates.refresh();
            assertThat(gates.allows("acme")).as("after %d ms", at).isEqualTo(at >= LEASE);
            gates.decisions.tidy(gates.now());
        }
    }

    @Test
    void lockOfADeadAnalyzer_readAgainWithoutAnyHeartbeat_endsWithItsLease() {
        List<Appended> topic = List.of(lock());
        for (long at = HEARTBEAT; at <= 300_000; at += HEARTBEAT) {
            gates.forward(HEARTBEAT);
            if (at % 65_000 == 0) {
                readAgain(topic);
            }
            assertThat(gates.allows("acme")).as("after %d ms", at).isEqualTo(at >= LEASE);
        }
    }

    @Test
    void operatorsLock_readAgainWhileBrokerTimeStandsBack_endsWithItsLease() {
        OperatorRecord lock = new OperatorRecord.Lock("noisy", List.of("acme"), Mode.BLOCK, 0, LEASE, "ann", "test", 0);
        long append = gates.brokerNow() + 3_600_000;
        gates.decisions.operator(lock, append, gates.now());
        gates.forward(LEASE - 1);
        gates.decisions.operator(lock, append, gates.now());
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(1);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void killSwitch_readAgainWhileBrokerTimeStandsBack_endsWithItsLease() {
        OperatorRecord off = new OperatorRecord.Enforce(null, false, LEASE, "ann", "test", 0);
        long append = gates.brokerNow() + 3_600_000;
        gates.decisions.operator(off, append, gates.now());
        gates.forward(LEASE - 1);
        gates.decisions.operator(off, append, gates.now());
        assertThat(gates.decisions.enforcing()).isFalse();
        gates.forward(1);
        gates.refresh();
        assertThat(gates.decisions.enforcing()).isTrue();
    }

    @Test
    void machineThatSleeps_ownHeartbeat_endsTheLeasesThatAreOver() {
        lock();
        gates.sleep(HOURS);
        assertThat(gates.allows("acme")).isFalse();
        ownHeartbeat();
        gates.forward(HEARTBEAT);
        ownHeartbeat();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void machineThatSleepsShorterThanTheLease_lock_holdsToItsEnd() {
        lock();
        gates.sleep(LEASE - HEARTBEAT - 1_000);
        ownHeartbeat();
        gates.forward(HEARTBEAT);
        ownHeartbeat();
        gates.forward(999);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(1);
        assertThat(gates.allows("acme")).isTrue();
    }

    /** An NTP step of the broker that appends the agent's heartbeats, or another broker in its place. */
    @Test
    void clockOfTheHeartbeatsBrokerSteps_livePartition_keepsItsTime() {
        for (long second = 1; second <= 200; second++) {
            gates.forward(1_000);
            gates.decisions.gateRecord(
                    0,
                    new AnalyzerHeartbeat(gates.version(1), "a", 0, Map.of("orders", 2)),
                    gates.brokerNow(),
                    gates.now());
            if (second == 30) {
                lock();
            }
            if (second % 5 == 0) {
                gates.decisions.anchored(gates.brokerNow() + (second >= 60 ? 40_000 : 0), gates.now());
            }
            gates.refresh();
            if (second >= 30) {
                assertThat(gates.allows("acme")).as("after %d s", second).isEqualTo(second >= 30 + LEASE / 1_000);
            }
        }
    }

    /**
     * Random pauses, sleeps, renewals, readings from the beginning and latencies; the partition's broker and that of the
     * agent's heartbeats may be wrong by up to 20 s, each in its own way; the latter's clock steps while the partition is alive.
     */
    @Test
    void randomFaults_lock_holdsForItsLeaseByItsPartitionsTime() {
        for (long seed = 1; seed <= 300; seed++) {
            new Run(seed).play();
        }
    }

    private static final class Run {
        private static final long LATENCY = 50;
        /** Between the two brokers, from before a step to after it. */
        private static final long MOST_SKEW = 60_000;

        private final Random random;
        private final String name;
        private final long skew;
        private final GateHarness gates = new GateHarness().policies(NOISY);
        private final List<Appended> topic = new ArrayList<>();
        private long end;
        private long nextOwn;
        private int ownSinceSleep = 2;
        /** Whether the clock of the heartbeats' broker steps. */
        private final boolean steps;

        private long ownSkew;
        private boolean everSlept;

        Run(long seed) {
            random = new Random(seed);
            name = "seed " + seed;
            steps = seed % 2 == 0;
            skew = random.nextInt(3) == 0 ? 0 : random.nextInt(40_000) - 20_000L;
        }

        private long partitionNow() {
            return gates.brokerNow() + skew;
        }

        /** Delivers a record that the partition's broker appended a moment ago. */
        private void deliver(GateRecord record) {
            Appended appended = new Appended(record, partitionNow() - random.nextInt((int) LATENCY));
            topic.add(appended);
            gates.decisions.gateRecord(0, record, appended.append, gates.now());
            if (record instanceof GateLock lock) {
                end = appended.append + lock.ttlMillis();
            }
        }

        private void play() {
            gates.decisions.caughtUp();
            own();
            boolean alive = true;
            int dies = 20 + random.nextInt(400);
            for (int i = 0; i < 1_200; i++) {
                alive &= i < dies;
                if (alive) {
                    deliver(new AnalyzerHeartbeat(gates.version(1), "a", 0, Map.of("orders", 2)));
                    if (random.nextInt(60) == 0) {
                        deliver(gates.lockOf(
                                "noisy", "acme", Mode.BLOCK, 10_000 + random.nextInt(120_000), gates.version(1)));
                    }
                }
                gates.forward(random.nextInt(random.nextInt(10) == 0 ? 3_000 : 1_000));
                if (random.nextInt(200) == 0) {
                    gates.sleep(random.nextInt(3) == 0 ? HOURS : random.nextInt(100_000));
                    ownSinceSleep = 0;
                    everSlept = true;
                }
                if (steps && i < dies - 60 && random.nextInt(100) == 0) {
                    ownSkew = random.nextInt(40_000) - 20_000L;
                }
                if (gates.now() >= nextOwn) {
                    own();
                }
                if (!alive && random.nextInt(40) == 0) {
                    gates.decisions.again();
                    topic.forEach(it -> gates.decisions.gateRecord(0, it.record, it.append, gates.now()));
                    gates.decisions.caughtUp();
                }
                if (random.nextInt(5) == 0) {
                    gates.decisions.tidy(gates.now());
                }
                gates.refresh();
                verify(i);
            }
        }

        private void own() {
            gates.decisions.anchored(gates.brokerNow() + ownSkew - random.nextInt((int) LATENCY), gates.now());
            nextOwn = gates.now() + HEARTBEAT * 1_000_000;
            ownSinceSleep++;
        }

        private void verify(int step) {
            boolean allowed = gates.allows("acme");
            long left = end - partitionNow();
            // what a broker's clock is off by is not known of one that was not heard of since
            long error = 2 * LATENCY + (everSlept ? steps ? MOST_SKEW : Math.abs(skew) : 0);
            if (ownSinceSleep >= 2 && left < -error) {
                assertThat(allowed)
                        .as("%s, step %d, %d ms left", name, step, left)
                        .isTrue();
            } else if (left > error) {
                assertThat(allowed)
                        .as("%s, step %d, %d ms left", name, step, left)
                        .isFalse();
            }
        }
    }
}

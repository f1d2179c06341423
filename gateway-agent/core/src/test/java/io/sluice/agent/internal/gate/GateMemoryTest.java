package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.List;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jol.info.GraphLayout;

/** Heap that locks and limiters take, on a 64-bit JVM with compressed pointers; docs/limiters.md has the figures. */
final class GateMemoryTest {
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    private static final int BEFORE = 1_000;
    private static final int ENTRIES = 15_000;
    // the table's arrays grow in steps: 5 bytes a place, three to six tenths of the places in use
    private static final double LEAST_PLACE = 5;
    private static final double MOST_PLACE = 17;

    private final GateHarness gates = new GateHarness(true, 1_000_000);

    private long bytes() {
        return GraphLayout.parseInstance(gates.decisions).totalSize();
    }

    /** Bytes that each entry takes. */
    private double each(int entries, IntConsumer entry) {
        for (int i = 0; i < BEFORE; i++) {
            entry.accept(i);
        }
        long before = bytes();
        for (int i = BEFORE; i < BEFORE + entries; i++) {
            entry.accept(i);
        }
        return (bytes() - before) / (double) entries;
    }

    private static String uuid(int number) {
        return new UUID(number * 0x9E3779B97F4A7C15L, ~number * 0xC2B2AE3D27D4EB4FL).toString();
    }

    private static IntFunction<String> names(String kind) {
        return kind.equals("uuid") ? GateMemoryTest::uuid : number -> "caller-" + number;
    }

    @ParameterizedTest
    @CsvSource("short, 72")
    void lock(String names, int bytes) {
        lockTakes(names, bytes);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource("uuid, 152")
    void lockOfALongName(String names, int bytes) {
        lockTakes(names, bytes);
    }

    private void lockTakes(String names, int bytes) {
        gates.policies(NOISY).fresh();
        double each = each(ENTRIES, i -> gates.lock("noisy", names(names).apply(i), Mode.BLOCK));
        assertThat(each).isBetween(bytes + LEAST_PLACE, bytes + MOST_PLACE);
    }

    @ParameterizedTest
    @CsvSource("short, 64")
    void limiterInUse(String names, int bytes) {
        limiterTakes(names, bytes);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource("uuid, 144")
    void limiterInUseOfALongName(String names, int bytes) {
        limiterTakes(names, bytes);
    }

    private void limiterTakes(String names, int bytes) {
        gates.policies("{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\"}}")
                .fresh();
        double each = each(ENTRIES, i -> gates.check(names(names).apply(i)));
        assertThat(each).isBetween(bytes + LEAST_PLACE, bytes + MOST_PLACE);
    }

    @Test
    void shedLocksOfDifferentRatios_takeWhatAnyLockTakes() {
        gates.policies(NOISY).fresh();
        double each = each(2_000, i -> {
            GateLock shed = gates.lockOf("noisy", "caller-" + i, Mode.SHED, 600_000, gates.version(1));
            gates.lock(withRatio(shed, 0.5 + i / 10_000.0));
            // each second of its end is another answer
            for (int second = 0; second < 20; second++) {
                gates.check("caller-" + i);
            }
            gates.forward(100);
        });
        assertThat(each).isLessThan(200);
    }

    private static GateLock withRatio(GateLock lock, double ratio) {
        return new GateLock(
                lock.policy(),
                lock.subject(),
                lock.mode(),
                lock.rate(),
                ratio,
                lock.ttlMillis(),
                lock.since(),
                lock.until(),
                lock.level(),
                lock.shadow(),
                lock.guarded(),
                lock.evidence(),
                lock.version());
    }

    /** The first limiter is in the gate; the next ones cost this much each, and the first of them 32 bytes more. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "'rate':'1/h','burst':5; 64",
                "'algorithm':'fixed-window','rate':'5/h'; 64",
                "'algorithm':'leaky-bucket','rate':'5/h','maxWait':'1m'; 64",
                "'algorithm':'concurrency','max':5; 80",
                "'algorithm':'sliding-window','rate':'5/h'; 224",
                "'algorithm':'sliding-log','rate':'5/h'; 176"
            })
    void limiterOfAnOverride(String limit, int bytes) {
        gates.policies(("{'name':'plans','per':['caller'],'limit':{'rate':'1/h','burst':5},'overrides':["
                                + "{'match':{'method':'POST'},'limit':{" + limit + "}},"
                                + "{'match':{'method':'PUT'},'limit':{" + limit + "}}]}")
                        .replace('\'', '"'))
                .fresh();
        double each = each(ENTRIES, i -> {
            for (String method : List.of("GET", "POST", "PUT")) {
                Verdict verdict =
                        gates.check(Request.of("caller-" + i).method(method).build());
                assertThat(verdict.allowed()).isTrue();
            }
        });
        int expected = 64 + 32 + 2 * bytes;
        assertThat(each).isBetween(expected + LEAST_PLACE, expected + MOST_PLACE);
    }
}

package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.Retention;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import io.sluice.testing.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with a small heap survives callers that come once, whatever is remembered of each. */
@Tag("full")
class SmallHeapTest {
    private static final int CALLERS = 300_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':1000},"
                        + "{'spike':10,'floor':1000,'baseline':'1h'},{'share':'50%','of':[],'whenOthersSlow':2}]}},"
                        + "{'name':'d','per':['caller'],'window':'1m','lock':{'when':[{'above':5}],'for':'debt'}}",
                "{'name':'g','per':['caller','service'],'window':'1m','lock':{'when':[{'share':'50%','of':['service']}]}}",
                "{'name':'s','per':['caller'],'window':'1m','lock':{'when':[{'above':0}],'mode':'shadow','for':'1h'}}"
            })
    void oneTimeCallers_inASmallHeap_doNotEndTheProcess(String policies) throws Exception {
        List<String> command = ChildJvm.command(List.of("-Xmx64m"), Child.class);
        command.add(policies);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(printed).isEqualTo("counted " + CALLERS + System.lineSeparator());
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The child process: one task that counts all callers, with a commit every 50,000 events. */
    static final class Child {
        private static final long TIME = 1_763_700_000_000L;
        private static final int COMMIT = 50_000;

        private Child() {}

        public static void main(String[] arguments) {
            PolicySet policies = TestPolicies.policies(arguments[0]);
            HeapBudget heap = HeapBudget.ofHeap(Runtime.getRuntime().maxMemory());
            LoadBook book = new LoadBook(heap);
            UsageTask task = new UsageTask(
                    TaskSettings.of(0, 1, 1),
                    new NoStore(),
                    new NoLeases(),
                    heap,
                    book,
                    new NoLocks(),
                    into(book),
                    new Counts());
            task.begin(1);
            task.policies(policies);
            Meter meter = new Meter(0, 1, TestBudgets.TIMES, heap, new Counts());
            meter.begin(1);
            meter.policies(policies);
            for (int i = 1; i <= CALLERS; i++) {
                long now = TIME + i / 100;
                meter.add(TestEvents.admitted("caller-" + i, "service-" + i, now));
                if (i % 100 == 0) {
                    meter.drainAll((key, partial) -> task.partial(key, partial, now));
                    task.position(meter.position(now));
                    task.tick(now);
                }
                if (i % COMMIT == 0) {
                    task.flush();
                }
            }
            System.out.println("counted " + CALLERS);
        }

        private static LoadSink into(LoadBook book) {
            return new LoadSink() {
                @Override
                public void load(UsageKey group, Load load) {
                    book.accept(group, load);
                }

                @Override
                public void gone(UsageKey group) {
                    book.forget(group);
                }
            };
        }
    }

    /** Keeps nothing in heap. */
    private static final class NoStore implements WindowStore {
        @Override
        public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
            return null;
        }

        @Override
        public void write(Retention retention, byte[] key, long blockStart, byte[] block) {}
    }

    private static final class NoLeases implements LeaseStore {
        @Override
        public void forEach(BiConsumer<byte[], byte[]> to) {}

        @Override
        public byte @Nullable [] read(byte[] key) {
            return null;
        }

        @Override
        public void write(byte[] key, byte[] value) {}

        @Override
        public void delete(byte[] key) {}
    }

    private static final class NoLocks implements LockSink {
        @Override
        public void lock(GateLock lock) {}

        @Override
        public void tombstone(String policy, List<String> subject) {}
    }
}

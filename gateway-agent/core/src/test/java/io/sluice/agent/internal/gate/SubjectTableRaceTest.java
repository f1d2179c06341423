package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that take no lock, beside writers. */
@Tag(Seeds.TAG)
final class SubjectTableRaceTest {
    private static final int STAYING = 300;
    private static final int PASSING = 20_000;

    private final SubjectTable table = new SubjectTable();
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static SubjectKey key(String name, int number, boolean colliding) {
        return colliding ? new SubjectKey(1, SubjectKey.NAMED, name + number) : SubjectKey.of(List.of(name + number));
    }

    private <T> List<T> all(List<Callable<T>> tasks) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> each : threads.invokeAll(tasks)) {
            results.add(each.get());
        }
        return results;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoStaysIsAlwaysFoundWhileOthersComeAndGoAndLocksBecomeGates(boolean colliding) throws Exception {
        for (int i = 0; i < STAYING; i++) {
            table.add(SubjectEntries.lock(key("s", i, colliding)));
        }
        AtomicBoolean done = new AtomicBoolean();
        Callable<Integer> reader = () -> {
            Random random = new Random(1);
            int missed = 0;
            while (!done.get()) {
                SubjectKey key = key("s", random.nextInt(STAYING), colliding);
                SubjectEntry found = table.get(key);
                missed += found == null || !found.key().equals(key) ? 1 : 0;
            }
            return missed;
        };
        Callable<Integer> lister = () -> {
            int missed = 0;
            while (!done.get()) {
                boolean[] seen = new boolean[STAYING];
                table.forEach(kept -> {
                    String name = kept.key().name() instanceof String text
                            ? text
                            : kept.key().subject(1).get(0);
                    if (name.charAt(0) == 's') {
                        seen[Integer.parseInt(name.substring(1))] = true;
                    }
                });
                for (boolean each : seen) {
                    missed += each ? 0 : 1;
                }
            }
            return missed;
        };
        Callable<Integer> writer = () -> {
            int passing = colliding ? PASSING / 20 : PASSING;
            for (int round = 0; round < Seeds.of(6, 20); round++) {
                List<SubjectEntry> passed = new ArrayList<>();
                for (int i = 0; i < passing; i++) {
                    SubjectKey key = key("p", i, colliding);
                    SubjectEntry one = i % 2 == 0 ? SubjectEntries.gate(key) : SubjectEntries.lock(key);
                    table.add(one);
                    passed.add(one);
                    if (i % 64 == 0) {
                        SubjectKey moved = key("s", (round * 300 + i / 64) % STAYING, colliding);
                        SubjectEntry known = table.get(moved);
                        if (known != null) {
                            table.replace(known, SubjectEntries.gate(moved));
                        }
                    }
                }
                passed.forEach(table::remove);
            }
            done.set(true);
            return 0;
        };
        assertThat(all(List.of(reader, lister, writer))).containsOnly(0);
        AtomicInteger left = new AtomicInteger();
        table.forEach(kept -> left.incrementAndGet());
        assertThat(left).hasValue(STAYING);
    }

    @Test
    void aLockIsNeverMissedInTheMomentInWhichItBecomesAGate() throws Exception {
        List<LockEntry> locks = new ArrayList<>();
        for (int i = 0; i < Seeds.of(60_000, 200_000); i++) {
            LockEntry lock = SubjectEntries.lock(key("s", i, false));
            table.add(lock);
            locks.add(lock);
        }
        AtomicInteger next = new AtomicInteger();
        Callable<Integer> reader = () -> {
            int missed = 0;
            for (int at = next.get(); at < locks.size(); at = next.get()) {
                LockEntry lock = locks.get(at);
                missed += table.get(lock.head(), lock.tail(), lock.name()) == null ? 1 : 0;
            }
            return missed;
        };
        Callable<Integer> writer = () -> {
            for (LockEntry lock : locks) {
                table.replace(lock, SubjectEntries.gate(lock.key()));
                next.incrementAndGet();
            }
            return 0;
        };
        assertThat(all(List.of(reader, writer))).containsOnly(0);
    }

    @Test
    void ofManyWhoAddASubjectAtOnceOneSucceeds() throws Exception {
        int subjects = Seeds.of(15_000, 50_000);
        Callable<Integer> adder = () -> {
            int added = 0;
            for (int i = 0; i < subjects; i++) {
                added += table.add(SubjectEntries.gate(key("c", i, false))) ? 1 : 0;
            }
            return added;
        };
        List<Integer> added = all(List.of(adder, adder, adder));
        assertThat(added.stream().mapToInt(it -> it).sum()).isEqualTo(subjects);
    }

    @Test
    void ofManyWhoReplaceOrRemoveTheSameOneSucceeds() throws Exception {
        int subjects = Seeds.of(15_000, 50_000);
        List<SubjectEntry> first = new ArrayList<>();
        for (int i = 0; i < subjects; i++) {
            SubjectEntry one = SubjectEntries.lock(key("c", i, false));
            table.add(one);
            first.add(one);
        }
        Callable<Integer> replacer = () -> {
            int replaced = 0;
            for (SubjectEntry each : first) {
                replaced += table.replace(each, SubjectEntries.gate(each.key())) ? 1 : 0;
            }
            return replaced;
        };
        Callable<Integer> remover = () -> {
            int removed = 0;
            for (SubjectEntry each : first) {
                removed += table.remove(each) ? 1 : 0;
            }
            return removed;
        };
        List<Integer> succeeded = all(List.of(replacer, remover, replacer));
        assertThat(succeeded.stream().mapToInt(it -> it).sum()).isEqualTo(subjects);
        AtomicInteger left = new AtomicInteger();
        table.forEach(kept -> left.incrementAndGet());
        assertThat(left).hasValue(succeeded.get(0) + succeeded.get(2));
    }
}

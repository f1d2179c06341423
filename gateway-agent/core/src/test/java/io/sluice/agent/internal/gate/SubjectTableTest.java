package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SubjectTableTest {
    private final SubjectTable table = new SubjectTable();

    /** Short, long and several values; with {@code colliding} none of which the hash tells apart from its kind. */
    private static SubjectKey key(int number, boolean colliding) {
        if (colliding) {
            return new SubjectKey(number % 2, SubjectKey.NAMED, "colliding-" + number);
        }
        return switch (number % 3) {
            case 0 -> SubjectKey.of(List.of("c" + number));
            case 1 -> SubjectKey.of(List.of("a caller with a long name, number " + number));
            default -> SubjectKey.of(List.of("tenant", "/orders/" + number));
        };
    }

    private List<SubjectEntry> told() {
        List<SubjectEntry> told = new ArrayList<>();
        table.forEach(told::add);
        return told;
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @CsvSource({
        "1, 10, false",
        "2, 500, false",
        "3, 20000, false",
        "4, 10, true",
        "5, 40, true",
        "6, 100, true",
        "7, 2000, true"
    })
    void itDoesWhatAHashMapDoes(long seed, int subjects, boolean colliding) {
        Random random = new Random(seed);
        Map<SubjectKey, SubjectEntry> model = new HashMap<>();
        for (int i = 0; i < Seeds.of(60_000, 200_000); i++) {
            // now more come than go, now the other way round
            int more = i / 20_000 % 2 == 0 ? 6 : 2;
            SubjectKey key = key(random.nextInt(subjects), colliding);
            @Nullable SubjectEntry known = model.get(key);
            assertThat(table.get(key)).isSameAs(known);
            int drawn = random.nextInt(10);
            if (drawn < more) {
                SubjectEntry added = random.nextBoolean() ? SubjectEntries.gate(key) : SubjectEntries.lock(key);
                assertThat(table.add(added)).isEqualTo(known == null);
                model.putIfAbsent(key, added);
            } else if (known != null && drawn < more + 1) {
                SubjectEntry next = known instanceof SubjectGate || random.nextBoolean()
                        ? SubjectEntries.gate(key)
                        : SubjectEntries.lock(key);
                assertThat(table.replace(known, next)).isTrue();
                assertThat(table.replace(known, SubjectEntries.gate(key))).isFalse();
                model.put(key, next);
            } else if (known != null) {
                assertThat(table.remove(SubjectEntries.gate(key))).isFalse();
                assertThat(table.remove(known)).isTrue();
                assertThat(table.remove(known)).isFalse();
                model.remove(key);
            }
        }
        // as sets: AssertJ compares each pair of two lists
        assertThat(told()).hasSameSizeAs(model.values());
        assertThat(Set.copyOf(told())).isEqualTo(Set.copyOf(model.values()));
    }

    @Tag(Seeds.TAG)
    @Test
    void keysThatCollideAreAllFoundAndInNobodysWay() {
        SubjectKey somebody = SubjectKey.of(List.of("somebody"));
        table.add(SubjectEntries.lock(somebody));
        int colliding = Seeds.of(15_000, 50_000);
        for (int i = 0; i < colliding; i++) {
            assertThat(table.add(SubjectEntries.gate(key(i, true)))).isTrue();
        }
        for (int i = 0; i < colliding; i++) {
            SubjectEntry found = table.get(key(i, true));
            assertThat(found).isNotNull();
            assertThat(found.key()).isEqualTo(key(i, true));
        }
        assertThat(table.get(key(colliding, true))).isNull();
        assertThat(table.get(somebody)).isInstanceOf(LockEntry.class);
    }

    @Test
    void aLockThatBecomesAGateIsToldOfOnce() {
        SubjectKey key = SubjectKey.of(List.of("acme"));
        LockEntry lock = SubjectEntries.lock(key);
        SubjectGate gate = SubjectEntries.gate(key);
        table.add(lock);

        assertThat(table.replace(lock, gate)).isTrue();
        assertThat(told()).containsExactly(gate);
        assertThat(table.add(SubjectEntries.lock(key))).isFalse();
    }
}

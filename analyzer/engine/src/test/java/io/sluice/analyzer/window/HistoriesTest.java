package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoriesTest {
    private static final long NOON = 1_763_726_400_000L;
    private static final long HOUR = 3_600_000;
    private static final UsageKey ACME = new UsageKey("p@1", List.of("acme"));

    private final InMemoryWindowStore store = new InMemoryWindowStore();
    private final Histories<Note> notes = notes('n');

    private Histories<Note> notes(char prefix) {
        return new Histories<>(store, prefix, TestBudgets.windows(4), bytes -> {
            if (bytes[0] < 0) {
                throw new MalformedRecord("note: not of today's format");
            }
            Note note = new Note();
            note.number = bytes[0];
            return note;
        });
    }

    private static final class Note implements History {
        private byte number;

        @Override
        public byte[] encode() {
            return new byte[] {number};
        }

        @Override
        public long bytes() {
            return 16;
        }
    }

    private void note(UsageKey key, long time, int number) {
        notes.change(key, time, Note::new).number = (byte) number;
    }

    @Test
    void whatWasFlushedIsFoundByTheNextLife() {
        note(ACME, NOON, 7);
        notes.flush();

        assertThat(notes('n').find(ACME, NOON))
                .isNotNull()
                .satisfies(it -> assertThat(it.number).isEqualTo((byte) 7));
        assertThat(notes('x').find(ACME, NOON)).isNull();
    }

    @Test
    void whatIsOfAnotherFormatIsLearntAnew() {
        note(ACME, NOON, -1);
        notes.flush();

        assertThat(notes('n').find(ACME, NOON)).isNull();
        Histories<Note> next = notes('n');
        next.change(ACME, NOON, Note::new).number = 3;
        next.flush();
        assertThat(notes('n').find(ACME, NOON))
                .isNotNull()
                .satisfies(it -> assertThat(it.number).isEqualTo((byte) 3));
    }

    @Test
    void whatWasNotFlushedIsForgottenWithTheHeap() {
        note(ACME, NOON, 7);
        notes.discard();

        assertThat(notes.find(ACME, NOON)).isNull();
        notes.flush();
        assertThat(notes('n').find(ACME, NOON)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"12, true", "35, true", "36, false", "60, false"})
    void aSubjectIsRememberedUntilTheEndOfTheNextDay(long hours, boolean found) {
        note(ACME, NOON, 7);
        notes.flush();

        assertThat(notes('n').find(ACME, NOON + hours * HOUR) != null).isEqualTo(found);
    }

    @Test
    void moreThanFitInHeapAreWrittenAndReadAgain() {
        for (int i = 0; i < 50; i++) {
            note(new UsageKey("p@1", List.of("caller-" + i)), NOON, i);
        }

        for (int i = 0; i < 50; i++) {
            Note found = notes.find(new UsageKey("p@1", List.of("caller-" + i)), NOON);
            assertThat(found).isNotNull();
            assertThat(found.number).isEqualTo((byte) i);
        }
    }

    @Test
    void aLateEventAfterMidnight_findsWhatWasWrittenSince() {
        note(ACME, NOON, 1);
        notes.flush();
        note(ACME, NOON + 12 * HOUR, 2);
        notes.flush();

        Note found = notes('n').find(ACME, NOON + 12 * HOUR - 1);

        assertThat(found).isNotNull();
        assertThat(found.number).isEqualTo((byte) 2);
    }

    @Test
    void aHistoryThatLivesOnMovesToTheNextDay() {
        note(ACME, NOON, 1);
        notes.flush();
        note(ACME, NOON + 24 * HOUR, 2);
        notes.flush();

        Note found = notes('n').find(ACME, NOON + 48 * HOUR);

        assertThat(found).isNotNull();
        assertThat(found.number).isEqualTo((byte) 2);
    }

    /** What was stored after midnight is found before what is stored under the day before. */
    @Test
    void lateEventAfterMidnight_isKeptByTheLifeAfterTheNext() {
        long midnight = NOON + 12 * HOUR;
        note(ACME, midnight + 1_000, 7);
        notes.flush();
        Histories<Note> second = notes('n');
        second.change(ACME, midnight - 5_000, Note::new).number = 8;
        second.flush();

        assertThat(notes('n').find(ACME, midnight + 2_000))
                .isNotNull()
                .satisfies(it -> assertThat(it.number).isEqualTo((byte) 8));
    }
}

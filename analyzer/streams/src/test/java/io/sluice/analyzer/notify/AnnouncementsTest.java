package io.sluice.analyzer.notify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnnouncementsTest {
    private static final long NOW = 1_763_700_000_000L;

    private final Announcements announcements = new Announcements(3);

    static GateLock lock(String caller, Mode mode, long since, long until, boolean guarded) {
        return lock(caller, mode, since, until, guarded, 1);
    }

    private static GateLock lock(String caller, Mode mode, long since, long until, boolean guarded, long seq) {
        return new GateLock(
                "noisy",
                List.of(caller),
                mode,
                0,
                0,
                60_000,
                since,
                until,
                1,
                guarded,
                guarded,
                null,
                new Version("decide-0", 1, seq));
    }

    private Optional<String> told(Mode mode, long since, long until, boolean guarded, long append) {
        return told(mode, since, until, guarded, append, true);
    }

    private Optional<String> told(Mode mode, long since, long until, boolean guarded, long append, boolean holds) {
        return announcements
                .of(lock("acme", mode, since, until, guarded), append, holds)
                .map(Announcement::event);
    }

    @Test
    void of_lockThatIsOver_isNoNews() {
        assertThat(told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW, false)).isEmpty();
    }

    @Test
    void of_lockThatWasOverAndIsWrittenAgain_isNewsOnce() {
        told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW, false);

        assertThat(told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW + 1_800_000))
                .hasValue("open");
        assertThat(told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW + 2_000_000))
                .isEmpty();
    }

    @Test
    void of_releaseOfALockThatWasOver_isNoNews() {
        told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW, false);

        assertThat(told(Mode.OPEN, NOW, NOW + 600_000, false, NOW + 600_000)).isEmpty();
    }

    @Test
    void of_repetitionReadTooLate_doesNotAnnounceTheLockAgain() {
        told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW);
        told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW + 200_000, false);

        assertThat(told(Mode.BLOCK, NOW, NOW + 3_600_000, false, NOW + 1_800_000))
                .isEmpty();
    }

    @Test
    void aLockIsToldOnceHoweverOftenItIsWritten() {
        assertThat(told(Mode.BLOCK, NOW, NOW + 300_000, false, NOW + 5)).hasValue("open");
        assertThat(told(Mode.BLOCK, NOW, NOW + 500_000, false, NOW + 200_000)).isEmpty();
    }

    @Test
    void itsReleaseIsToldAndSoIsTheNextLock() {
        told(Mode.BLOCK, NOW, NOW + 300_000, false, NOW);

        assertThat(told(Mode.OPEN, NOW, NOW + 100_000, false, NOW + 100_000)).hasValue("release");
        assertThat(told(Mode.OPEN, NOW, NOW + 100_000, false, NOW + 100_010)).isEmpty();
        assertThat(told(Mode.BLOCK, NOW + 200_000, NOW + 500_000, false, NOW + 200_000))
                .hasValue("open");
    }

    @Test
    void whatTheGuardHoldsBackIsToldAndThatItIsArmedTooHoweverLater() {
        assertThat(told(Mode.BLOCK, NOW, NOW + 300_000, true, NOW)).hasValue("guard");
        assertThat(told(Mode.BLOCK, NOW, NOW + 300_000, false, NOW + 200_000)).hasValue("open");
    }

    @ParameterizedTest
    @CsvSource({"59999, true", "60000, true", "60001, false"})
    void ofALockThatIsNotRememberedOnlyWhatHasJustHappenedIsNews(long later, boolean news) {
        assertThat(told(Mode.BLOCK, NOW, NOW + 300_000, false, NOW + later).isPresent())
                .isEqualTo(news);
    }

    @ParameterizedTest
    @CsvSource({"59999, true", "60000, true", "60001, false"})
    void aReleaseHappensAtItsEnd(long later, boolean news) {
        assertThat(told(Mode.OPEN, NOW - 3_600_000, NOW, false, NOW + later).isPresent())
                .isEqualTo(news);
    }

    @Test
    void anIdIsTheSameForTheSameNewsAndForNothingElse() {
        GateLock first = lock("acme", Mode.BLOCK, NOW, NOW + 300_000, false);

        String id = Announcement.of(first, NOW).id();
        assertThat(id)
                .matches("[0-9a-f]{32}")
                .isEqualTo(Announcement.of(first, NOW + 9).id());
        assertThat(List.of(
                        Announcement.of(lock("acme", Mode.BLOCK, NOW + 1, NOW + 300_000, false), NOW)
                                .id(),
                        Announcement.of(lock("globex", Mode.BLOCK, NOW, NOW + 300_000, false), NOW)
                                .id(),
                        Announcement.of(lock("acme", Mode.OPEN, NOW, NOW + 300_000, false), NOW)
                                .id(),
                        Announcement.of(lock("acme", Mode.BLOCK, NOW, NOW + 300_000, true), NOW)
                                .id()))
                .doesNotContain(id)
                .doesNotHaveDuplicates();
    }

    /** Several decide tasks that do not know of each other yet may lock more than the guard allows, and take it back. */
    @Test
    void id_lockThatIsHeldBackAndEnforcedAgain_isAnotherEachTime_andTheSameAgainAfterATakeover() {
        List<GateLock> records = List.of(
                lock("acme", Mode.BLOCK, NOW, NOW + 300_000, false, 1),
                lock("acme", Mode.BLOCK, NOW, NOW + 300_000, true, 2),
                lock("acme", Mode.BLOCK, NOW, NOW + 300_000, false, 3),
                lock("acme", Mode.BLOCK, NOW, NOW + 300_000, true, 4),
                lock("acme", Mode.OPEN, NOW, NOW + 4_000, false, 5));

        List<String> ids = records.stream().map(this::id).toList();
        announcements.forget();

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(records.stream().map(this::id)).containsExactlyElementsOf(ids);
    }

    @Test
    void id_releaseThatIsWrittenAgain_isTheSame() {
        GateLock release = lock("acme", Mode.OPEN, NOW, NOW + 4_000, false, 5);
        GateLock again = lock("acme", Mode.OPEN, NOW, NOW + 4_000, false, 6);

        assertThat(Announcement.of(again, NOW + 9).id())
                .isEqualTo(Announcement.of(release, NOW).id());
    }

    private String id(GateLock lock) {
        return announcements.of(lock, NOW + 5_000, true).orElseThrow().id();
    }
}

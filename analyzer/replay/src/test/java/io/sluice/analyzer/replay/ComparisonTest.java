package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.replay.LockChange.Kind;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.PolicySet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
    private static final Evidence EVIDENCE = new Evidence("above", 4, 3, "requests", 10_000, 4, 0, 100, 100, "r");

    private static TriedLock lock(String caller, long at, long until) {
        return lock(caller, at, until, "block", false, false, 0);
    }

    private static TriedLock lock(
            String caller, long at, long until, String mode, boolean shadow, boolean guarded, int rejected) {
        GateLock gate = new GateLock(
                "noisy",
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                1,
                at,
                until,
                1,
                false,
                false,
                EVIDENCE,
                new Version("decide-0", 1, 1));
        WouldReject toll = new WouldReject();
        for (int i = 0; i < rejected; i++) {
            toll.add(gate, TestEvents.admitted(caller, at), true, true);
        }
        ReplayLock lock = new ReplayLock("noisy", List.of(caller), at, until, mode, shadow, guarded, false, EVIDENCE);
        return new TriedLock(lock, toll, null, Long.MIN_VALUE, null);
    }

    private static Tried tried(TriedLock... locks) {
        PolicySet set = new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), "");
        return new Tried(set, Arrays.asList(locks), false, List.of());
    }

    private static List<Kind> onlyChange(TriedLock old, TriedLock now) {
        Comparison comparison = Comparison.of(tried(old), tried(now));
        assertThat(comparison.changes()).hasSize(1);
        return comparison.changes().get(0).kinds();
    }

    @Test
    void aLockOfNobodyElseComesOrGoes() {
        Comparison comparison = Comparison.of(tried(lock("old", 100, 200)), tried(lock("new", 150, 200)));

        assertThat(comparison.changes())
                .extracting(LockChange::kinds)
                .containsExactly(List.of(Kind.GOES), List.of(Kind.COMES));
        assertThat(comparison.same()).isZero();
    }

    @Test
    void locksThatAreAlikeAreNoChange() {
        Comparison comparison = Comparison.of(tried(lock("a", 100, 200)), tried(lock("a", 100, 200)));

        assertThat(comparison.changes()).isEmpty();
        assertThat(comparison.same()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"99, 200, STARTS_EARLIER", "101, 200, STARTS_LATER", "100, 199, ENDS_EARLIER", "100, 201, ENDS_LATER"})
    void aLockThatMovesSaysWhichWay(long at, long until, Kind kind) {
        assertThat(onlyChange(lock("a", 100, 200), lock("a", at, until))).containsExactly(kind);
    }

    @Test
    void allThatIsDifferentIsTold() {
        assertThat(onlyChange(lock("a", 100, 200), lock("a", 50, 300, "throttle", true, true, 0)))
                .containsExactly(Kind.STARTS_EARLIER, Kind.ENDS_LATER, Kind.MODE, Kind.SHADOW, Kind.GUARDED);
    }

    @Test
    void otherRequestsThatAreRejectedAreAChangeOfTheirOwn() {
        TriedLock more = lock("a", 100, 200, "block", false, false, 3);

        assertThat(onlyChange(lock("a", 100, 200), more)).containsExactly(Kind.REJECTED);
        assertThat(onlyChange(lock("a", 100, 201), more)).containsExactly(Kind.ENDS_EARLIER);
    }

    @ParameterizedTest
    @CsvSource({"199, 1", "200, 2", "201, 2"})
    void onlyLocksThatAreOnAtTheSameTimeBelongTogether(long at, int changes) {
        Comparison comparison = Comparison.of(tried(lock("a", 100, 200)), tried(lock("a", at, 300)));

        assertThat(comparison.changes()).hasSize(changes);
    }

    @Test
    void severalLocksThatBecomeOneAreMerged() {
        Comparison comparison = Comparison.of(
                tried(lock("a", 100, 200), lock("a", 300, 400), lock("a", 500, 600)), tried(lock("a", 100, 400)));

        assertThat(comparison.changes())
                .extracting(LockChange::kinds)
                .containsExactly(List.of(Kind.ENDS_LATER), List.of(Kind.MERGED), List.of(Kind.GOES));
    }

    @Test
    void oneLockThatBecomesSeveralIsSplit() {
        Comparison comparison = Comparison.of(
                tried(lock("a", 100, 400)), tried(lock("a", 100, 200), lock("a", 300, 400), lock("a", 500, 600)));

        assertThat(comparison.changes())
                .extracting(LockChange::kinds)
                .containsExactly(List.of(Kind.ENDS_EARLIER), List.of(Kind.SPLIT), List.of(Kind.COMES));
    }
}

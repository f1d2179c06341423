package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.PolicySet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitSpanTest {
    private static final long T = 1_763_700_000_000L;
    /** The shortest window of a lock is 32 s, so a second is a 32nd. */
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: long, per: [caller], window: 1m, lock: { when: [{ above: 5 }], mode: block } }
              - { name: short, per: [caller], window: 32s, lock: { when: [{ above: 5 }], mode: block } }
              - { name: no-lock, per: [caller], window: 1s, limit: { rate: 5/s } }
            """);

    private static final long BACKLOG = 30_000;
    private static final Parts.Rules RULES = new Parts.Rules("one", 5, 200, 2_000, 60_000, 5_000, BACKLOG, 600_000);

    private long nanoTime;
    private long now = BrokerClock.UNKNOWN;
    private final ThreadCommits commits = new ThreadCommits(() -> nanoTime, true);
    private final CommitSpan span = span();

    private CommitSpan span() {
        return new CommitSpan(() -> nanoTime, nanos -> now, RULES, commits, commits.usage());
    }

    @BeforeEach
    void followPolicies() {
        commits.working();
        span.policies(POLICIES);
    }

    /** Everything of the thread is committed. */
    private void commit(long millis, CommitSpan... all) {
        commits.committing(() -> Stream.of(all).forEach(CommitSpan::committed));
        pass(millis);
        commits.working();
    }

    private void pass(long millis) {
        nanoTime += millis * 1_000_000;
    }

    @Test
    void aCommitHoldsAThirtySecondOfTheShortestWindow() {
        assertThat(span.reached(T)).isFalse();
        assertThat(span.reached(T + 999)).isFalse();
        assertThat(span.reached(T + 1000)).isTrue();
        assertThat(span.reached(T + 1001)).isTrue();
    }

    @Test
    void theNextOneBeginsWhereTheLastOneEnded() {
        span.reached(T);
        span.reached(T + 1000);
        span.committed();

        assertThat(span.reached(T + 1999)).isFalse();
        assertThat(span.reached(T + 2000)).isTrue();
    }

    @Test
    void reached_afterPauseOfMeterWhosePositionIsKnown_asksForNoCommit() {
        span.reached(T);
        span.committed();

        assertThat(span.reached(T + 60_000, T + 59_700)).isFalse();
        assertThat(span.reached(T + 60_699, T + 60_300)).isFalse();
        assertThat(span.reached(T + 60_700, T + 60_300)).isTrue();
    }

    @Test
    void whatComesOutOfOrderIsNoStepAhead() {
        span.reached(T + 1000);
        span.committed();

        assertThat(span.reached(T)).isFalse();
        assertThat(span.reached(T + 1999)).isFalse();
    }

    @Test
    void atTheUsualPaceNothingIsAskedFor() {
        span.reached(T);
        for (int second = 1; second < 100; second++) {
            pass(1000);
            assertThat(span.reached(T + second * 1000L)).isFalse();
        }
    }

    @Test
    void whoReadsNoMoreThanTwiceWhatTheLogGrowsDoesNotCatchUp() {
        span.reached(T);
        pass(600);

        assertThat(span.reached(T + 1199)).isFalse();
        assertThat(span.reached(T + 1200)).isTrue();
    }

    @Test
    void reached_otherLogsOfTheThreadStandStill_commitsAtAThirtySecond() {
        for (int other = 0; other < 20; other++) {
            CommitSpan idle = span();
            idle.policies(POLICIES);
            idle.reached(T);
        }
        span.reached(T);
        pass(100);

        assertThat(span.reached(T + 999)).isFalse();
        assertThat(span.reached(T + 1000)).isTrue();
    }

    @Test
    void reached_afterOneSlowCommit_commitsAtAThirtySecond() {
        commits(7, 30);
        span.reached(T);
        commit(3_000, span);

        pass(100);
        assertThat(span.reached(T + 1000)).isTrue();
    }

    @Test
    void reached_mostCommitsSlow_waitsUntilTheLogIsReadTwiceAsFastAsItGrows() {
        commits(4, 900);
        commits(3, 30);
        span.reached(T);

        pass(200);
        assertThat(span.reached(T + 2199)).isFalse();
        assertThat(span.reached(T + 2200)).isTrue();
    }

    @Test
    void reached_afterASlowStart_commitsAtAThirtySecond() {
        ThreadCommits fresh = new ThreadCommits(() -> nanoTime, true);
        CommitSpan first = new CommitSpan(() -> nanoTime, nanos -> now, RULES, fresh, fresh.usage());
        first.policies(POLICIES);
        pass(60_000);
        fresh.working();
        first.reached(T);

        assertThat(first.reached(T + 1000)).isTrue();
    }

    /** A hundred logs in turn jump 2.4 s ahead, one every 10 ms. All together are read 2.4 times as fast as they grow, and a commit takes 10 ms. */
    @Test
    void reached_manyLogsAreBehindAndJumpInTurn_commitsAreNotAskedForByEach() {
        CommitSpan[] logs = Stream.generate(this::span).limit(100).toArray(CommitSpan[]::new);
        for (CommitSpan log : logs) {
            log.policies(POLICIES);
            log.reached(T);
        }
        commits.usage().addBehind(100);
        commit(10, logs);
        int asked = 0;
        for (int round = 0; round < 300; round++) {
            pass(10);
            if (logs[round % 100].reached(T + (round / 100 + 1) * 2_400L)) {
                asked++;
                commit(10, logs);
            }
        }

        // five jumps are 120 ms of each log on average, twice the 60 ms that they and a commit take
        assertThat(asked).isEqualTo(60);
    }

    @Test
    void reached_manyLogsAreBehindAndReadFast_commitsAtAThirtySecond() {
        CommitSpan[] logs = Stream.generate(this::span).limit(100).toArray(CommitSpan[]::new);
        for (CommitSpan log : logs) {
            log.policies(POLICIES);
            log.reached(T);
        }
        commits.usage().addBehind(100);
        pass(100);
        for (int i = 0; i < 99; i++) {
            assertThat(logs[i].reached(T + 999)).isFalse();
        }
        assertThat(logs[99].reached(T + 1000)).isTrue();
    }

    @Test
    void isBehind_readUpToLessThanFourIntervalsBefore_isNot() {
        assertThat(CommitSpan.isBehind(T - 800, T, RULES)).isFalse();
        assertThat(CommitSpan.isBehind(T - 801, T, RULES)).isTrue();
        assertThat(CommitSpan.isBehind(ReadPositions.UNKNOWN, T, RULES)).isFalse();
        assertThat(CommitSpan.isBehind(T - 801, BrokerClock.UNKNOWN, RULES)).isFalse();
    }

    private void commits(int many, long millis) {
        for (int n = 0; n < many; n++) {
            commit(millis, span);
        }
    }

    @Test
    void exactlyOnceThereIsNothingToDouble() {
        ThreadCommits once = new ThreadCommits(() -> nanoTime, false);
        CommitSpan exact = new CommitSpan(() -> nanoTime, nanos -> now, RULES, once, once.usage());
        exact.policies(POLICIES);
        exact.reached(T);

        assertThat(exact.reached(T + 1_000_000)).isFalse();
    }

    @Test
    void whatIsTooOldToOpenALockOfAWindowIsReadAsFastAsTheNextLongerOneAllows() {
        span.reached(T);
        now = T + 1000 + BACKLOG + 32_000;
        assertThat(span.reached(T + 1000)).isTrue();

        now++;
        assertThat(span.reached(T + 1000)).isFalse();
        now = T + 1875 + BACKLOG + 60_000;
        assertThat(span.reached(T + 1874)).isFalse();
        assertThat(span.reached(T + 1875)).isTrue();
    }

    @Test
    void whatIsTooOldForAllOfThemIsReadAsFastAsItCanBe() {
        span.reached(T);
        now = T + 3000 + BACKLOG + 60_001;

        assertThat(span.reached(T + 3000)).isFalse();
    }

    @Test
    void withoutAPolicyThatLocksThereIsNothingToDouble() {
        CommitSpan idle = span();
        idle.policies(TestPolicies.yaml("policies: []"));
        idle.reached(T);

        assertThat(idle.reached(T + 1_000_000_000)).isFalse();
    }

    @Test
    void aCommitMayWaitForAQuarterOfWhatItsLogIsReadBehindItsEnd() {
        span.reached(T);

        now = T + 800;
        assertThat(span.patience()).isEqualTo(200);
        now = T + 4_000;
        assertThat(span.patience()).isEqualTo(1_000);
        now = T + 20_000;
        assertThat(span.patience()).isEqualTo(2_000);
    }

    @Test
    void whoStandsAtTheEndOfAQuietLogIsNotBehind() {
        span.reached(T);
        now = T + 3_600_000;

        assertThat(span.patience(now)).isEqualTo(200);
    }

    @Test
    void itWaitsForNothingOnceItHoldsHalfOfWhatItMay() {
        span.reached(T);
        span.reached(T + 499);
        now = T + 60_000;
        assertThat(span.patience()).isEqualTo(2_000);

        span.reached(T + 500);
        assertThat(span.patience()).isEqualTo(200);

        span.committed();
        assertThat(span.patience()).isEqualTo(2_000);
    }

    @Test
    void patience_shortWindow_isAThirtySecondOfItButAtLeastAQuarterOfTheInterval() {
        span.policies(window("3200ms"));
        assertThat(span.patience(T)).isEqualTo(100);

        span.policies(window("1s"));
        assertThat(span.patience(T)).isEqualTo(50);
    }

    @Test
    void patience_shortWindowExactlyOnce_isTheInterval() {
        ThreadCommits once = new ThreadCommits(() -> nanoTime, false);
        CommitSpan exact = new CommitSpan(() -> nanoTime, nanos -> now, RULES, once, once.usage());
        exact.policies(window("1s"));

        assertThat(exact.patience(T)).isEqualTo(200);
    }

    private static PolicySet window(String window) {
        return TestPolicies.yaml("""
                policies:
                  - { name: short, per: [caller], window: %s, panes: 10, lock: { when: [{ above: 5 }], mode: block } }
                """.formatted(window));
    }

    @Test
    void whoKnowsNeitherTheTimeNorItsPositionWaitsForNothing() {
        assertThat(span.patience(T)).isEqualTo(200);
        now = T + 60_000;
        assertThat(span.patience(ReadPositions.UNKNOWN)).isEqualTo(200);
    }

    @Test
    void aCommitIsDueByTheTimeSinceTheLastOneWasOver() {
        commit(50, span);

        pass(199);
        assertThat(commits.due(200)).isFalse();
        pass(1);
        assertThat(commits.due(200)).isTrue();
    }
}

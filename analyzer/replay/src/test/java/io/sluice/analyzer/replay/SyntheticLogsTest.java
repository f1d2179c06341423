package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Evidence;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Made-up logs of the shapes that real ones have; what is expected was counted by other means. */
class SyntheticLogsTest {
    @Test
    void ofALogWhoseLinesAreBrokenInTwoTheBeginningsCount() throws Exception {
        ReplayResult result = Replays.of(null, Replays.resource("broken-in-two.log"));

        assertThat(result.events()).isEqualTo(493);
        assertThat(result.deadLetters().count()).isEqualTo(152);
        assertThat(result.lines()).isEqualTo(645);
        assertThat(result.outOfOrder()).isZero();
        assertThat(result.deadLetters().reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.reason()).contains("the rest of a line broken in two");
            assertThat(reason.examples())
                    .containsExactly("broken-in-two.log:3", "broken-in-two.log:5", "broken-in-two.log:8");
        });
        assertThat(result.logs().get(0).format()).isEqualTo("combined");
    }

    @Test
    void aboveLocksEachNoisyCallerAtTheEventThatCrosses() throws Exception {
        ReplayResult result = Replays.of(Replays.policy("above: 30"), Replays.resource("broken-in-two.log"));

        assertThat(result.locks())
                .extracting(
                        lock -> lock.subject().get(0),
                        ReplayLock::at,
                        lock -> lock.evidence().observed())
                .containsExactly(
                        Tuple.tuple("203.0.113.77", 1772445856000L, 31.0),
                        Tuple.tuple("198.51.100.9", 1772446110000L, 31.0));
    }

    @Test
    void shareLocksWhoeverTakesTooMuchOnceThereIsEnough() throws Exception {
        ReplayResult result =
                Replays.of(Replays.policy("share: 40%, of: [], beyond: 60"), Replays.resource("broken-in-two.log"));

        assertThat(result.locks())
                .extracting(
                        lock -> lock.subject().get(0),
                        ReplayLock::at,
                        lock -> lock.evidence().sum(),
                        lock -> lock.evidence().load())
                .containsExactly(
                        Tuple.tuple("203.0.113.77", 1772445857000L, 33.0, 61.0),
                        Tuple.tuple("198.51.100.9", 1772446106000L, 27.0, 66.0));
    }

    @Test
    void aLockEndsWhenItsTimeIsOverOrDemandIsGone() throws Exception {
        ReplayResult result = Replays.of(Replays.policy("above: 30"), Replays.resource("broken-in-two.log"));

        ReplayLock first = result.locks().get(0);

        // the last of its 90 requests came at second 288; half the threshold is left 60 s after the 75th
        assertThat(first.released()).isTrue();
        assertThat(first.until()).isBetween(1772445600_000L + 240_000 + 41_000 + 60_000, 1772445600_000L + 360_000);
    }

    @Test
    void anNginxJsonLogOfStringsHasNoDeadLetters() throws Exception {
        ReplayResult result = Replays.of(null, Replays.resource("nginx.json.log"));

        assertThat(result.events()).isEqualTo(300);
        assertThat(result.deadLetters().count()).isZero();
        assertThat(result.logs().get(0).format()).isEqualTo("nginx-json");
        assertThat(result.from()).isEqualTo(1772445600_000L);
        assertThat(result.notes()).anyMatch(note -> note.contains("one caller, perhaps a proxy's address"));
    }

    @Test
    void rejectedRequestsOfALogDoNotCountAsAdmitted() throws Exception {
        // 300 requests, 58 of them rejected
        Evidence never = Replays.of(
                        "policies: [{ name: p, per: [caller], window: 1h, lock: { when: [{ above: 241 }] } }]",
                        Replays.resource("nginx.json.log"))
                .locks()
                .get(0)
                .evidence();

        assertThat(never.sum()).isEqualTo(242.0);
        assertThat(Replays.of(
                                "policies: [{ name: p, per: [caller], window: 1h, lock: { when: [{ above: 242 }] } }]",
                                Replays.resource("nginx.json.log"))
                        .locks())
                .isEmpty();
    }

    @Test
    void aShuffledLogIsPutInOrder() throws Exception {
        ReplayResult result = Replays.of(null, Replays.resource("shuffled.log"));

        assertThat(result.events()).isEqualTo(300);
        assertThat(result.outOfOrder()).isEqualTo(272);
        assertThat(result.logs().get(0).survey().disorder()).isEqualTo(59_000);
        assertThat(result.from()).isEqualTo(1772445900_000L);
        assertThat(result.to()).isEqualTo(1772460359_000L);
    }

    @Test
    void severalLogsAreReplayedAsOne() throws Exception {
        ReplayResult result = Replays.of(
                Replays.policy("above: 30"),
                Replays.resource("shuffled.log"),
                Replays.resource("nginx.json.log"),
                Replays.resource("broken-in-two.log"));

        assertThat(result.events()).isEqualTo(1093);
        assertThat(result.locks())
                .extracting(lock -> lock.subject().get(0))
                .contains("203.0.113.77", "198.51.100.9", "127.0.0.1");
        assertThat(result.locks()).isSortedAccordingTo((a, b) -> Long.compare(a.at(), b.at()));
    }

    @Test
    void callersThatAreOnlyClaimedAreNeverLockedAndTheReplaySaysSo() throws Exception {
        ReplayResult result =
                Replays.of(Replays.policy("above: 1"), List.of("$http_user_agent"), Replays.resource("nginx.json.log"));

        assertThat(result.locks()).isEmpty();
        assertThat(result.notes()).anyMatch(note -> note.contains("only claimed"));
    }
}

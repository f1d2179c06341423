package io.sluice.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventJson;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InvariantsTest {
    private static final long START = 1_000_000;
    private static final long LEASE = 10_000;

    private final List<Entry> history = new ArrayList<>();

    private static PolicySet policies() throws Exception {
        return PolicySetReader.read(JsonNodes.read("""
                {"policies":[{"name":"busy","per":["caller"],"window":"1s","panes":10,
                              "lock":{"when":[{"above":10}],"mode":"block","for":"5s"}}]}
                """.getBytes(StandardCharsets.UTF_8), "test"));
    }

    private static String event(long time, String caller, Outcome outcome) {
        return new String(
                RequestEventJson.write(new RequestEvent(
                        time,
                        caller,
                        "orders",
                        null,
                        null,
                        null,
                        outcome == Outcome.ALLOWED ? 200 : 429,
                        0,
                        0,
                        "agent-1",
                        outcome,
                        1,
                        Identity.AUTHENTICATED,
                        Map.of())),
                StandardCharsets.UTF_8);
    }

    private void stored(long time, String caller, Outcome outcome) {
        history.add(new Entry(time, Entry.Kind.PRODUCED, "agent-1", event(time, caller, outcome)));
    }

    /** Twenty in a second, of which the eleventh is the first too many. */
    private void busy(String caller) {
        for (int i = 0; i < 20; i++) {
            stored(START + i * 50L, caller, Outcome.ALLOWED);
        }
    }

    private void decided(long append, String caller, long crossed) {
        GateLock lock = new GateLock(
                "busy",
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                LEASE,
                append,
                append + LEASE,
                1,
                false,
                false,
                new Evidence("above", 11, 10, "requests", 1000, 11, 0, crossed, append, "r"),
                new Version("decide-0", 1, 1));
        history.add(new Entry(
                append, Entry.Kind.DECIDED, "decide-0", new String(GateLockJson.write(lock), StandardCharsets.UTF_8)));
    }

    private Invariants judged() {
        history.sort(Comparator.comparingLong(Entry::at));
        return new Invariants(history);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 0", "1, 1"})
    void aLockHoldsForItsLeaseAndASecondAndNoLonger(long beyond, int violations) {
        decided(START, "amber", START);
        history.add(new Entry(START + 5, Entry.Kind.APPLIED, "agent-1", "amber"));
        history.add(new Entry(START + LEASE + 1_000 + beyond, Entry.Kind.OPENED, "agent-1", "amber"));

        assertThat(judged().noLockOutlivesItsLease(Long.MAX_VALUE, 1_000)).hasSize(violations);
        assertThat(judged().noLockOutlivesItsLease(1_000, 1_000)).hasSize(1);
    }

    @Test
    void aLockThatIsNeverOpenedIsHeldAgainstTheEndOfTheHistory() {
        decided(START, "amber", START);
        history.add(new Entry(START, Entry.Kind.APPLIED, "agent-1", "amber"));
        assertThat(judged().noLockOutlivesItsLease(Long.MAX_VALUE, 0)).isEmpty();

        history.add(new Entry(START + LEASE + 1, Entry.Kind.FAULT, "test", "ends"));
        assertThat(judged().noLockOutlivesItsLease(Long.MAX_VALUE, 0)).hasSize(1);
    }

    @Test
    void aLockWithoutADecisionIsAViolation() {
        history.add(new Entry(START, Entry.Kind.APPLIED, "agent-1", "amber"));
        history.add(new Entry(START + 1, Entry.Kind.OPENED, "agent-1", "amber"));

        assertThat(judged().noLockOutlivesItsLease(Long.MAX_VALUE, 1_000)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"499, 1", "500, 0", "950, 0", "951, 1"})
    void aLockMayOpenOnTheEventsAtWhichTheCallerWasOver(long crossed, int violations) throws Exception {
        busy("amber");
        decided(START + 1_000, "amber", START + crossed);

        assertThat(judged().noLockOfAnInnocent(policies(), 0)).hasSize(violations);
    }

    @Test
    void aLockOfSomebodyElseIsAViolation() throws Exception {
        busy("amber");
        decided(START + 1_000, "birch", START + 500);

        assertThat(judged().noLockOfAnInnocent(policies(), 1_000)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"499, false", "500, true", "5950, true", "5951, false"})
    void withoutFurtherDemandALockIsLegalForItsLength(long after, boolean legal) throws Exception {
        busy("amber");

        assertThat(new LegalLocks(policies(), judged().stored()).mayHold("busy", List.of("amber"), START + after, 0))
                .isEqualTo(legal);
    }

    @Test
    void demandThatIsTurnedAwayKeepsALockLegal() throws Exception {
        busy("amber");
        for (int i = 0; i < 60; i++) {
            stored(START + 1_000 + i * 100L, "amber", Outcome.LOCKED);
        }

        assertThat(new LegalLocks(policies(), judged().stored()).intervals())
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.earliest()).isEqualTo(START + 500);
                    assertThat(it.latest()).isEqualTo(START + 1_000 + 5_900 + 5_000);
                });
    }

    @ParameterizedTest
    @CsvSource({"21, 1, 0", "21, 0, 1", "20, 1, 1"})
    void whatIsStoredIsWhatWasLoggedLessDrops(long logged, long drops, int violations) {
        busy("amber");
        history.add(new Entry(
                START + 5_000, Entry.Kind.BOOKS, "agent-1", new Books(logged, logged, 20, drops, 0, 0).toString()));

        assertThat(judged().storedIsLoggedLessDrops()).hasSize(violations);
        assertThat(judged().noFailures()).isEmpty();
    }

    @Test
    void aFailureAndAnExceptionAreViolations() {
        history.add(new Entry(1, Entry.Kind.BOOKS, "agent-1", new Books(1, 1, 1, 0, 1, 0).toString()));
        history.add(new Entry(1, Entry.Kind.BOOKS, "agent-2", new Books(1, 1, 1, 0, 0, 1).toString()));

        assertThat(judged().noFailures()).hasSize(2);
    }

    @Test
    void onlyTheLastTablesHaveToAgree() {
        history.add(new Entry(1, Entry.Kind.TABLE, "agent-1", "{amber=pass}"));
        history.add(new Entry(2, Entry.Kind.TABLE, "agent-2", "{amber=LOCKED:busy}"));
        assertThat(judged().tablesAgree()).hasSize(1);

        history.add(new Entry(3, Entry.Kind.TABLE, "agent-1", "{amber=LOCKED:busy}"));
        assertThat(judged().tablesAgree()).isEmpty();
    }

    @Test
    void aGoodRecordAmongTheDeadLettersIsAViolation() {
        history.add(new Entry(1, Entry.Kind.DEAD_LETTER, "not readable", "7b"));
        assertThat(judged().noGoodRecordIsPutAside()).isEmpty();

        byte[] good = event(1, "amber", Outcome.ALLOWED).getBytes(StandardCharsets.UTF_8);
        history.add(new Entry(2, Entry.Kind.DEAD_LETTER, "why?", HexFormat.of().formatHex(good)));
        assertThat(judged().noGoodRecordIsPutAside()).hasSize(1);
    }
}

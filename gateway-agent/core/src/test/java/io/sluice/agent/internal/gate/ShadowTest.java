package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What only reports rejects no request, and counts the would-be rejections wherever there is a count. */
final class ShadowTest {
    private static final int CHECKS = 10;
    // of ten checks at the same moment a fleet rate of 4 over two agents lets two pass
    private static final long THROTTLED = 8;

    private final GateHarness gates = new GateHarness().fresh();

    private static String locking(String more) {
        return "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]" + more + "}}";
    }

    private static String limiting(String more) {
        return "{\"name\":\"noisy\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/m\",\"burst\":2" + more + "}}";
    }

    private void set(String head, String policy) {
        gates.decisions.policies(GateHarness.set("{" + head + "\"policies\":[" + policy + "]}"));
    }

    private GateLock lock(Mode mode, boolean shadow, boolean guarded) {
        GateLock lock = gates.lockOf("noisy", "acme", mode, 60_000, gates.version(1));
        return new GateLock(
                lock.policy(),
                List.of("acme"),
                mode,
                lock.rate(),
                lock.ratio(),
                lock.ttlMillis(),
                lock.since(),
                lock.until(),
                1,
                shadow,
                guarded,
                null,
                lock.version());
    }

    private void assertOnlyReported(long would) {
        for (int i = 0; i < CHECKS; i++) {
            assertThat(gates.asked("acme")).isEqualTo("allowed");
        }
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("noisy", would);
        assertThat(gates.decisions.counts().rejections(false)).containsEntry("noisy", 0L);
    }

    private static long would(Mode mode) {
        return mode == Mode.THROTTLE ? THROTTLED : CHECKS;
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"BLOCK", "SHED", "THROTTLE", "SHADOW"})
    void aSetThatDoesNotEnforceReportsEveryMode(Mode mode) {
        set("\"enforce\":false,", locking(""));

        gates.lock(lock(mode, false, false));

        assertOnlyReported(would(mode));
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"BLOCK", "SHED", "THROTTLE", "SHADOW"})
    void aShadowPolicyReportsEveryMode(Mode mode) {
        set("", locking(",\"shadow\":true"));

        gates.lock(lock(mode, false, false));

        assertOnlyReported(would(mode));
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"BLOCK", "SHED", "THROTTLE"})
    void aPolicyOfModeShadowReportsWhatItsOlderLocksWouldDo(Mode mode) {
        set("", locking(",\"mode\":\"shadow\""));

        gates.lock(lock(mode, false, false));

        assertOnlyReported(would(mode));
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCK, true, false",
        "SHED, true, false",
        "THROTTLE, true, false",
        "SHADOW, false, false",
        "BLOCK, false, true",
        "SHED, false, true",
        "THROTTLE, false, true"
    })
    void aLockThatIsAShadowOrGuardedReports(Mode mode, boolean shadow, boolean guarded) {
        set("", locking(""));

        gates.lock(lock(mode, shadow, guarded));

        assertOnlyReported(would(mode));
    }

    @Test
    void anOverridesShadowReportsForItsSubjectsAlone() {
        String overridden = locking("").replaceFirst("}$", """
                ,"overrides":[{"match":{"caller":"acme"},"lock":{"shadow":true}}]}""");
        set("", overridden);

        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.lock("noisy", "bolt", Mode.BLOCK);

        assertOnlyReported(CHECKS);
        assertThat(gates.asked("bolt")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void anOperatorsShadowReports() {
        set("", locking(""));

        gates.operator(gates.operatorLock("noisy", "acme", Mode.SHADOW));

        assertOnlyReported(CHECKS);
    }

    @Test
    void anOperatorsLockUnderASetThatDoesNotEnforceReports() {
        set("\"enforce\":false,", locking(""));

        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));

        assertOnlyReported(CHECKS);
    }

    @Test
    void aShadowLimitReports() {
        set("", limiting(",\"shadow\":true"));

        assertOnlyReported(CHECKS - 2);
    }

    @Test
    void anOverridesShadowLimitReportsForItsSubjectsAlone() {
        String overridden = limiting("").replaceFirst("}$", """
                ,"overrides":[{"match":{"caller":"acme"},"limit":{"shadow":true}}]}""");
        set("", overridden);

        assertOnlyReported(CHECKS - 2);
        gates.check("bolt");
        gates.check("bolt");
        assertThat(gates.asked("bolt")).isEqualTo("LIMITED by noisy");
    }

    @Test
    void aLimitOfASetThatDoesNotEnforceReports() {
        set("\"enforce\":false,", limiting(""));

        assertOnlyReported(CHECKS - 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"enforce\":false,' | ''",
                "''                   | ',\"shadow\":true'",
                "''                   | ',\"mode\":\"shadow\"'"
            })
    void aShadowThatDeniesWhenDegradedReportsWhatItWouldClose(String head, String more) {
        set(head, locking(",\"onDegraded\":\"deny\"" + more));
        gates.forward(5_001);
        gates.refresh();

        assertOnlyReported(CHECKS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'\"enforce\":false,' | ''", "''                   | ',\"shadow\":true'"})
    void aShadowLimitThatDeniesWhenDegradedReportsAll(String head, String more) {
        set(head, limiting(",\"onDegraded\":\"deny\"" + more));
        gates.forward(5_001);
        gates.refresh();

        assertOnlyReported(CHECKS);
    }

    @Test
    void aShadowIsCountedToItsPolicyWhileAnotherRejects() {
        gates.policies(locking(",\"shadow\":true"), locking("").replace("noisy", "armed"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.lock("armed", "acme", Mode.BLOCK);

        assertThat(gates.asked("acme")).isEqualTo("LOCKED by armed");

        assertThat(gates.decisions.counts().rejections(true))
                .containsEntry("noisy", 1L)
                .containsEntry("armed", 0L);
        assertThat(gates.decisions.counts().rejections(false))
                .containsEntry("noisy", 0L)
                .containsEntry("armed", 1L);
    }

    @Test
    void theKillSwitchCountsNothingAgainstAnybody() {
        set("", locking(",\"shadow\":true"));
        gates.lock("noisy", "acme", Mode.BLOCK);

        gates.operator(new OperatorRecord.Enforce(null, false, 0, "ann", "not sure", 0));

        assertOnlyReported(0);
    }
}

package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who wins on a gate: each word against each other one, in both orders. A throttle has two permits here. */
final class LimitPrecedenceTest {
    private static final int REQUESTS = 5;

    /** What can be said about acme. */
    enum Word {
        KILL,
        ALLOW,
        RELEASE,
        OPERATOR_BLOCK,
        OPERATOR_THROTTLE,
        BLOCK,
        SHED,
        THROTTLE,
        SHADOW
    }

    private static String policy(String name) {
        return "{\"name\":\"" + name + "\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    }

    private static GateHarness fresh(String... policies) {
        return new GateHarness().policies(policies).fresh();
    }

    private static void say(GateHarness gates, Word word) {
        switch (word) {
            case KILL -> gates.operator(new OperatorRecord.Enforce(null, false, 0, "ann", "panic", 0));
            case ALLOW ->
                gates.decisions.policies(
                        GateHarness.set("{\"allow\":[{\"caller\":\"acme\"}],\"policies\":[" + policy("noisy") + "]}"));
            case RELEASE -> gates.operator(gates.release("noisy", "acme"));
            case OPERATOR_BLOCK -> gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
            case OPERATOR_THROTTLE -> gates.operator(gates.operatorLock("noisy", "acme", Mode.THROTTLE));
            default -> gates.lock("noisy", "acme", Mode.valueOf(word.name()));
        }
    }

    private static int admitted(GateHarness gates) {
        int admitted = 0;
        for (int i = 0; i < REQUESTS; i++) {
            admitted += gates.allows("acme") ? 1 : 0;
        }
        return admitted;
    }

    private static void assertAdmitted(Word one, Word other, int requests) {
        for (List<Word> order : List.of(List.of(one, other), List.of(other, one))) {
            GateHarness gates = fresh(policy("noisy"));
            order.forEach(word -> say(gates, word));
            assertThat(admitted(gates)).as("%s", order).isEqualTo(requests);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "KILL, 5",
        "ALLOW, 5",
        "RELEASE, 5",
        "OPERATOR_BLOCK, 0",
        "OPERATOR_THROTTLE, 2",
        "BLOCK, 0",
        "SHED, 0",
        "THROTTLE, 2",
        "SHADOW, 5"
    })
    void aWordAlone(Word word, int requests) {
        GateHarness gates = fresh(policy("noisy"));
        say(gates, word);
        assertThat(admitted(gates)).isEqualTo(requests);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "KILL")
    void theKillSwitchOutranksEveryWord(Word word) {
        assertAdmitted(Word.KILL, word, REQUESTS);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"KILL", "ALLOW"})
    void whatIsAllowedOutranksEveryWordBelow(Word word) {
        assertAdmitted(Word.ALLOW, word, REQUESTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCK", "SHED", "THROTTLE", "SHADOW"})
    void anOperatorOutranksTheAnalyzer(Word word) {
        assertAdmitted(Word.RELEASE, word, REQUESTS);
        assertAdmitted(Word.OPERATOR_BLOCK, word, 0);
        assertAdmitted(Word.OPERATOR_THROTTLE, word, 2);
    }

    @ParameterizedTest
    @CsvSource({
        "RELEASE, OPERATOR_BLOCK, 0",
        "RELEASE, OPERATOR_THROTTLE, 2",
        "OPERATOR_BLOCK, RELEASE, 5",
        "OPERATOR_BLOCK, OPERATOR_THROTTLE, 2",
        "OPERATOR_THROTTLE, RELEASE, 5",
        "OPERATOR_THROTTLE, OPERATOR_BLOCK, 0"
    })
    void ofAnOperatorsWordsTheLastHolds(Word first, Word last, int requests) {
        GateHarness gates = fresh(policy("noisy"));
        say(gates, first);
        say(gates, last);
        assertThat(admitted(gates)).isEqualTo(requests);
    }

    /** Locks of two policies: the verdict names the one that rejects, the stricter when both do. */
    @ParameterizedTest
    @CsvSource({
        "BLOCK, SHED, one", "BLOCK, THROTTLE, one", "BLOCK, SHADOW, one",
        "SHED, BLOCK, two", "SHED, THROTTLE, one", "SHED, SHADOW, one",
        "THROTTLE, BLOCK, two", "THROTTLE, SHED, two", "THROTTLE, SHADOW, one",
        "SHADOW, BLOCK, two", "SHADOW, SHED, two", "SHADOW, THROTTLE, two"
    })
    void theStricterOfTwoLocksIsNamed(Mode first, Mode second, String named) {
        GateHarness gates = fresh(policy("one"), policy("two"));
        gates.lock("one", "acme", first);
        gates.lock("two", "acme", second);
        admitted(gates);
        assertThat(gates.asked("acme")).isEqualTo(reason(named.equals("one") ? first : second) + " by " + named);
    }

    private static String reason(Mode mode) {
        return mode == Mode.SHED ? "SHED" : "LOCKED";
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCK", "SHED"})
    void ofTwoLocksAlikeTheOneThatEndsLaterIsNamed(Mode mode) {
        for (int later = 0; later < 2; later++) {
            GateHarness gates = fresh(policy("one"), policy("two"));
            gates.lock(gates.lockOf("one", "acme", mode, later == 0 ? 20_000 : 10_000, gates.version(1)));
            gates.lock(gates.lockOf("two", "acme", mode, later == 0 ? 10_000 : 20_000, gates.version(1)));
            assertThat(gates.asked("acme")).isEqualTo(reason(mode) + " by " + (later == 0 ? "one" : "two"));
        }
    }
}

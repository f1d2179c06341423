package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.set;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Precedence between records of one subject that contradict each other: each kind against each other one, in both orders. */
class PrecedenceTest {
    private static final String P = "{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]}}";

    /** What can be said about acme. */
    enum Word {
        /** The analyzer finds that it is over. */
        OVER,
        /** An operator releases it. */
        RELEASE,
        /** The policy is removed. */
        REMOVE,
        /** The set no longer enforces. */
        REPORT,
        /** It is allowed. */
        ALLOW
    }

    private final Rig rig = new Rig();
    private boolean removed;
    private boolean reports;
    private boolean allows;
    private long now = TIME;

    private PolicySet policies() {
        return set("{'enforce':" + !reports + ",'allow':[" + (allows ? "{'caller':'acme'}" : "") + "],'policies':["
                + (removed ? "" : P) + "]}");
    }

    private void say(Word word) {
        switch (word) {
            case OVER -> {}
            case RELEASE ->
                rig.task.operator(
                        new OperatorRecord.Release("p", List.of("acme"), 600_000, "ann", "a mistake", now), now);
            case REMOVE -> removed = true;
            case REPORT -> reports = true;
            case ALLOW -> allows = true;
        }
        rig.policies(policies());
        rig.passed(now);
        if (word == Word.OVER) {
            rig.admit("acme", 61, now);
        }
        now += 250;
        rig.passed(now);
    }

    /** What holds at last: {@code open}, {@code shadow} or {@code block}. */
    private String outcome() {
        if (rig.said.isEmpty() || rig.last().mode() == Mode.OPEN) {
            return "open";
        }
        GateLock last = rig.last();
        return last.shadow() ? "shadow" : "block";
    }

    @ParameterizedTest
    @CsvSource({"RELEASE, open", "REMOVE, open", "REPORT, shadow", "ALLOW, block"})
    void aWordAgainstALockThatStands(Word word, String outcome) {
        say(Word.OVER);

        say(word);

        assertThat(outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"RELEASE, open", "REMOVE, open", "REPORT, shadow", "ALLOW, open"})
    void aWordAgainstALockToCome(Word word, String outcome) {
        say(word);

        say(Word.OVER);

        assertThat(outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "RELEASE, REMOVE, open",
        "RELEASE, REPORT, open",
        "RELEASE, ALLOW, open",
        "REMOVE, REPORT, open",
        "REMOVE, ALLOW, open",
        "REPORT, ALLOW, shadow"
    })
    void twoWordsAgainstALockThatStandsInEitherOrder(Word one, Word other, String outcome) {
        say(Word.OVER);
        say(one);
        say(other);
        assertThat(outcome()).isEqualTo(outcome);

        PrecedenceTest turned = new PrecedenceTest();
        turned.say(Word.OVER);
        turned.say(other);
        turned.say(one);
        assertThat(turned.outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "RELEASE, REMOVE",
        "RELEASE, REPORT",
        "RELEASE, ALLOW",
        "REMOVE, REPORT",
        "REMOVE, ALLOW",
        "REPORT, ALLOW"
    })
    void twoWordsOfWhichOneForbidsALockLetNoneComeInEitherOrder(Word one, Word other) {
        say(one);
        say(other);
        say(Word.OVER);
        assertThat(rig.counts.of(Count.OPENED)).isZero();

        PrecedenceTest turned = new PrecedenceTest();
        turned.say(other);
        turned.say(one);
        turned.say(Word.OVER);
        assertThat(turned.rig.counts.of(Count.OPENED)).isZero();
    }

    /** Agents let it pass at once; what was counted before leaves the window, and nothing more is counted. */
    @Test
    void theLockOfACallerThatIsNowAllowedIsReleasedWhenItsWindowIsEmpty() {
        say(Word.OVER);
        say(Word.ALLOW);

        rig.until(now, now + 61_000, "acme", 10, 0);

        assertThat(outcome()).isEqualTo("open");
        assertThat(rig.counts.of(Count.OPENED)).isEqualTo(1);
    }

    @Test
    void aPolicyThatEnforcesAgainMakesItsReportsLocks() {
        say(Word.OVER);
        say(Word.REPORT);
        reports = false;

        say(Word.OVER);

        assertThat(outcome()).isEqualTo("block");
    }
}

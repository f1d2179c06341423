package io.sluice.analyzer.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorRequestTest {
    private static final long A_YEAR = 365L * 86_400_000;

    @Test
    void aLockBlocksForAnHourUnlessSaidOtherwise() throws Exception {
        assertThat(lock("{'author':'ann','reason':'too much'}"))
                .isEqualTo(new OperatorRequest(Mode.BLOCK, 0, 3_600_000, "ann", "too much"));
        assertThat(lock("{'reason':'r','ttlMillis':60000,'rate':2.5,'mode':'throttle','author':'a'}"))
                .isEqualTo(new OperatorRequest(Mode.THROTTLE, 2.5, 60_000, "a", "r"));
    }

    @Test
    void aReleaseKeepsTheGateOpenForTenMinutesUnlessSaidOtherwise() throws Exception {
        assertThat(OperatorRequest.release("reason=talked+to%20them&author=ann", User.COMMON))
                .isEqualTo(new OperatorRequest(Mode.OPEN, 0, 600_000, "ann", "talked to them"));
        assertThat(OperatorRequest.release("ttlMillis=60000&reason=r&author=a", User.COMMON)
                        .ttlMillis())
                .isEqualTo(60_000);
    }

    @Test
    void whatItBecomesIsWhatTheCommandLineWrites() throws Exception {
        Target target = Target.in(TestPolicies.above(60), "p", List.of("acme"));

        assertThat(lock("{'author':'ann','reason':'why','mode':'shadow'}").of(target, 7))
                .isEqualTo(new OperatorRecord.Lock(
                        "p", List.of("acme"), List.of("caller"), Mode.SHADOW, 0, 3_600_000, "ann", "why", 7));
        assertThat(OperatorRequest.release("author=ann&reason=why", User.COMMON).of(target, 7))
                .isEqualTo(
                        new OperatorRecord.Release("p", List.of("acme"), List.of("caller"), 600_000, "ann", "why", 7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'reason':'r'} | author is missing",
                "{'author':'a'} | reason is missing",
                "{'author':'','reason':'r'} | 1 to 200 characters",
                "{'author':'a','reason':''} | 1 to 1000 characters",
                "{'author':'a','reason':'  '} | reason: found blanks, allowed are 1 to 1000 characters",
                "{'author':'  ','reason':'r'} | author: found blanks, allowed is a name",
                "{'author':'a','reason':'r','for':'1h'} | found the field for",
                "{'author':'a','reason':'r','mode':'shed'} | found shed",
                "{'author':'a','reason':'r','mode':'open'} | found open",
                "{'author':'a','reason':'r','mode':'throttle'} | body.rate: needed with mode throttle",
                "{'author':'a','reason':'r','rate':1} | body.rate: needed with mode throttle",
                "{'author':'a','reason':'r','ttlMillis':999} | ttlMillis",
                "[] | body",
                "author=ann | body"
            })
    void aLockThatSaysTooLittleOrTooMuchIsRefused(String body, String complaint) {
        assertThatThrownBy(() -> lock(body)).isInstanceOf(MalformedRecord.class).hasMessageContaining(complaint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "author=a",
                "reason=r",
                "author=&reason=r",
                "author=a&reason=",
                "author=a&reason=+",
                "author=%20&reason=r",
                "author=a&reason=r&mode=block",
                "author=a&reason=r&ttlMillis=",
                "author=a&reason=r&ttlMillis=-1",
                "author=a&reason=r&ttlMillis=1e6",
                "author=a&reason=r&ttlMillis=99999999999999999999"
            })
    void aReleaseThatSaysTooLittleOrTooMuchIsRefused(String query) {
        assertThatThrownBy(() -> OperatorRequest.release(query, User.COMMON)).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void itHoldsForASecondAtLeastAndAHundredYearsAtMost() throws Exception {
        assertThatThrownBy(() -> release(999)).hasMessageContaining("found 999, allowed is a whole number from 1000");
        assertThat(release(1_000).ttlMillis()).isEqualTo(1_000);
        assertThat(release(A_YEAR).ttlMillis()).isEqualTo(A_YEAR);
        assertThatThrownBy(() -> release(A_YEAR + 1)).isInstanceOf(MalformedRecord.class);
    }

    /** As long as those that agents have in their heartbeats. */
    @Test
    void killSwitch_ofAnAgent_takesEachIdThatAgentsHave() throws Exception {
        String id = "a".repeat(256);

        assertThat(enforcement(id).agent()).isEqualTo(id);
        assertThatThrownBy(() -> enforcement(id + "a")).hasMessageContaining("1 to 256 characters");
    }

    /** Agents end no record that switches on. */
    @Test
    void killSwitch_onForATime_isRefused() throws Exception {
        assertThat(killSwitch("{'enforce':false,'ttlMillis':60000,'author':'a','reason':'r'}")
                        .ttlMillis())
                .isEqualTo(60_000);
        assertThatThrownBy(() -> killSwitch("{'enforce':true,'ttlMillis':60000,'author':'a','reason':'r'}"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith(
                        "body.ttlMillis: found 60000 with enforce true, allowed with enforce false only");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'enforce':false,'author':'a','reason':' '} | reason: found blanks",
                "{'enforce':false,'author':' ','reason':'r'} | author: found blanks",
                "{'enforce':false,'author':'a'} | reason is missing",
                "{'author':'a','reason':'r'} | body.enforce is missing"
            },
            quoteCharacter = '`')
    void killSwitch_withoutWordsOrState_isRefused(String body, String complaint) {
        assertThatThrownBy(() -> killSwitch(body))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining(complaint);
    }

    private static OperatorRecord.Enforce killSwitch(String body) throws MalformedRecord {
        return EnforcementRequest.of(body.replace('\'', '"').getBytes(UTF_8), User.COMMON, 7);
    }

    private static OperatorRecord.Enforce enforcement(String agent) throws MalformedRecord {
        String body = "{\"enforce\":false,\"agent\":\"" + agent + "\",\"author\":\"a\",\"reason\":\"r\"}";
        return EnforcementRequest.of(body.getBytes(UTF_8), User.COMMON, 7);
    }

    private static OperatorRequest release(long millis) throws MalformedRecord {
        return OperatorRequest.release("author=a&reason=r&ttlMillis=" + millis, User.COMMON);
    }

    private static OperatorRequest lock(String body) throws MalformedRecord {
        return OperatorRequest.lock(body.replace('\'', '"').getBytes(UTF_8), User.COMMON);
    }
}

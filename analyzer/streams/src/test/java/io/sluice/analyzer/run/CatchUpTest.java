package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CatchUpTest {
    private static final long SECOND = 1_000_000_000L;

    private final CatchUp catchUp = new CatchUp(30_000);

    private Optional<String> update(long behindSeconds, long silenced, long atSecond) {
        return catchUp.update(OptionalLong.of(behindSeconds * 1_000), silenced, atSecond * SECOND);
    }

    @Test
    void withinTheBacklog_isQuiet() {
        assertThat(update(30, 0, 0)).isEmpty();

        assertThat(catchUp.catchingUp()).isFalse();
        assertThat(catchUp.detail()).isEmpty();
    }

    @Test
    void beyondTheBacklog_isAnnouncedAtOnce() {
        assertThat(update(300, 7, 0))
                .hasValueSatisfying(line -> assertThat(line).contains("300 s behind", "older than 30 s"));

        assertThat(catchUp.catchingUp()).isTrue();
        assertThat(catchUp.detail()).contains("300 s behind");
    }

    @Test
    void progress_isToldEveryTenSecondsWithTheTimeToGo() {
        update(10, 6, 0);
        update(300, 6, 1);
        assertThat(update(250, 6, 6)).isEmpty();
        assertThat(catchUp.detail()).contains("250 s behind");

        // 95 s in ten seconds, and 190 s to where it ends
        assertThat(update(205, 50_006, 11))
                .hasValueSatisfying(
                        line -> assertThat(line).contains("205 s behind", "about 20 s to go", "50,000 findings"));
    }

    @Test
    void noProgress_isTold() {
        update(300, 0, 0);

        assertThat(update(305, 0, 10))
                .hasValueSatisfying(line -> assertThat(line).contains("not getting nearer"));
    }

    @Test
    void end_tellsHowLongItTookAndWhatWasSilenced() {
        update(10, 3, 0);
        update(300, 3, 2);
        update(16, 100, 19);
        assertThat(catchUp.catchingUp()).isTrue();

        assertThat(update(14, 106_003, 20))
                .hasValue("caught up after 18 s; 106,000 findings in older requests opened nothing");
        assertThat(catchUp.catchingUp()).isFalse();
        assertThat(catchUp.detail()).isEmpty();
        assertThat(update(14, 106_003, 40)).isEmpty();
    }

    @Test
    void unknownLag_changesNothing() {
        update(300, 0, 0);

        assertThat(catchUp.update(OptionalLong.empty(), 0, 20 * SECOND)).isEmpty();
        assertThat(catchUp.catchingUp()).isTrue();
    }
}

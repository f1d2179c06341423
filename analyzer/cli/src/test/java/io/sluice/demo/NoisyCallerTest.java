package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.demo.traffic.Caller;
import org.junit.jupiter.api.Test;

class NoisyCallerTest {
    private static final long NEVER = Long.MAX_VALUE;

    private final Script script = Script.of(20);
    private final NoisyCaller noisy = new NoisyCaller(script);

    @Test
    void gatesClosedInTime_backsOffWhenTheScriptSays() {
        assertThat(noisy.perSecond(script.noise() - 1)).isEqualTo(Caller.LITTLE);
        assertThat(noisy.perSecond(script.noise())).isEqualTo(Caller.MUCH);

        noisy.look(script.quietAgain() - 1, script.noise() + 1000);
        assertThat(noisy.perSecond(script.quietAgain())).isEqualTo(Caller.MUCH);
        noisy.look(script.quietAgain(), script.noise() + 1000);
        assertThat(noisy.perSecond(script.quietAgain())).isEqualTo(Caller.LITTLE);
        assertThat(noisy.backedOff()).isEqualTo(script.quietAgain());
    }

    @Test
    void gatesClosedLate_backsOffAfterThem() {
        noisy.look(script.quietAgain(), NEVER);
        noisy.look(script.quietAgain() + 3000, script.quietAgain() + 1001);
        assertThat(noisy.backedOff()).isEqualTo(NEVER);

        noisy.look(script.quietAgain() + 3001, script.quietAgain() + 1001);
        assertThat(noisy.backedOff()).isEqualTo(script.quietAgain() + 3001);
    }

    @Test
    void runEndsAsMuchLater_asItBackedOffLater() {
        assertThat(noisy.end()).isEqualTo(2 * script.end());

        noisy.look(script.quietAgain() + 3001, script.quietAgain() + 1001);
        assertThat(noisy.end()).isEqualTo(script.end() + 3001);
    }

    /** On a machine with twenty times the work it can do, gates have closed in the last second of the run. */
    @Test
    void gatesClosedAtTheVeryEnd_runGoesOnUntilItBacksOffAndTheGatesCanOpen() {
        long closed = 2 * script.end() - 1;
        noisy.look(closed, closed);
        assertThat(noisy.end()).isGreaterThan(closed + 2000);

        noisy.look(closed + 2000, closed);
        assertThat(noisy.end()).isEqualTo(closed + 2000 + script.end() - script.quietAgain());
    }

    @Test
    void backedOff_staysSo() {
        noisy.look(script.quietAgain(), script.noise() + 1000);
        noisy.look(script.quietAgain() + 1000, script.noise() + 1000);

        assertThat(noisy.backedOff()).isEqualTo(script.quietAgain());
    }

    @Test
    void everyActHasItsWords() {
        noisy.look(script.quietAgain(), script.noise() + 1000);

        assertThat(noisy.act(0)).contains("quiet");
        assertThat(noisy.act(script.noise())).contains("noisy");
        assertThat(noisy.act(script.quietAgain())).contains("backed off");
    }
}

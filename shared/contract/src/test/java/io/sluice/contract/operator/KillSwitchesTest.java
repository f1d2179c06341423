package io.sluice.contract.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.key.CompositeKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class KillSwitchesTest {
    private static final long T = 1_763_700_000_000L;
    private static final long HOUR = 3_600_000;

    private final KillSwitches switches = new KillSwitches();

    private void say(String agent, boolean enforce, long ttl, long append) {
        OperatorRecord record = new OperatorRecord.Enforce(agent, enforce, ttl, "ann", "why", append);
        switches.accept(OperatorJson.key(record), record, append);
    }

    @Test
    void off_untilItsTimeIsOver() {
        say(null, false, HOUR, T);

        assertThat(switches.everywhere(T + HOUR - 1)).isTrue();
        assertThat(switches.everywhere(T + HOUR)).isFalse();
        assertThat(switches.off(T + HOUR)).isEmpty();
    }

    @Test
    void off_forOneAgent_isNotEverywhere() {
        say("orders-1", false, 0, T);

        assertThat(switches.off(T + HOUR)).extracting(KillSwitches.Off::agent).containsExactly("orders-1");
        assertThat(switches.everywhere(T + HOUR)).isFalse();
    }

    @Test
    void on_orATombstone_endsIt() {
        say(null, false, 0, T);
        say("orders-1", false, 0, T);
        say(null, true, 0, T + 1);
        switches.accept(List.of("$enforce", "orders-1"), null, T + 1);

        assertThat(switches.off(T + 2)).isEmpty();
    }

    @Test
    void read_recordsThatCannotBeRead_areIgnored() {
        OperatorRecord off = new OperatorRecord.Enforce(null, false, 0, "ann", "why", T);
        byte[] key = CompositeKey.bytes(OperatorJson.key(off));

        switches.read(null, OperatorJson.write(off), T);
        switches.read(new byte[0], OperatorJson.write(off), T);
        switches.read(key, new byte[] {'{'}, T);
        assertThat(switches.off(T)).isEmpty();

        switches.read(key, OperatorJson.write(off), T);
        assertThat(switches.everywhere(T)).isTrue();
        switches.read(key, null, T + 1);
        assertThat(switches.off(T + 1)).isEmpty();
    }
}

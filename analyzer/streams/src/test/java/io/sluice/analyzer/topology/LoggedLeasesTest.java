package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LoggedLeasesTest {
    @Test
    void line_unreadableRecord_namesTaskStoreAndKeyAndStaysALine() {
        byte[] key = "[\"$meter\",\"x\ny\u001b[2J\"]".getBytes(StandardCharsets.UTF_8);

        assertThat(LoggedLeases.line("decide-3", key))
                .isEqualTo("decide-3: store leases: the record with the key [\"$meter\",\"x?y?[2J\"] can't be read"
                        + " and is passed over; sluice_state_unreadable_total counts all of them");
    }
}

package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SidecarClaimedCallersTest {
    @TempDir
    Path folder;

    private String started(String agent) throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try (Sidecar sidecar = Sidecars.open(folder, "policies: []", agent, "")) {
            assertThat(sidecar.grpcPort()).isPositive();
        } finally {
            System.setOut(out);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }

    @Test
    void sidecar_withoutIdentity_warnsOnceAndNamesTheSetting() throws Exception {
        assertThat(started("")).containsOnlyOnce("set agent.identity to authenticated");
        assertThat(started(", identity: authenticated")).doesNotContain("claimed");
    }
}

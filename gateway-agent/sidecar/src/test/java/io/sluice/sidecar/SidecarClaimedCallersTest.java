package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class SidecarClaimedCallersTest {
    @TempDir
    Path folder;

    private String started(String agent) throws Exception {
        PrintStream err = System.err;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try (Sidecar sidecar = Sidecars.open(folder, "policies: []", agent, "")) {
            assertThat(sidecar.grpcPort()).isPositive();
        } finally {
            System.setErr(err);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }

    @Test
    void sidecar_withoutIdentity_warnsOnceAndNamesTheSetting() throws Exception {
        assertThat(started("")).containsOnlyOnce("set agent.identity to authenticated");
        assertThat(started(", identity: authenticated")).doesNotContain("claimed");
    }
}

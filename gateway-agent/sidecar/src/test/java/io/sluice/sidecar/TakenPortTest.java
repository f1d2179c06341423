package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class TakenPortTest {

    @ParameterizedTest
    @ValueSource(strings = {"http", "grpc"})
    void open_takenPort_namesItsSetting(String door, @TempDir Path folder) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            SluiceSettings settings = SluiceSettings.read(
                    Sidecars.settings(folder, Sidecars.TWO_AT_ONCE, "", ""),
                    Map.of(door.equals("http") ? "SLUICE_SIDECAR_HTTP" : "SLUICE_SIDECAR_GRPC", address));

            assertThatThrownBy(() -> Sidecar.open(settings))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("sidecar." + door + ": can't listen on " + address + ": ");
        }
    }
}

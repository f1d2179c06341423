package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DesktopBrowserTest {
    private static final URI ADDRESS = URI.create("http://127.0.0.1:8480/#/sign-in?code=0a");

    @Test
    void command_bySystemAndDesktop() {
        assertThat(DesktopBrowser.command("Linux", Map.of("DISPLAY", ":0"))).containsExactly("xdg-open");
        assertThat(DesktopBrowser.command("Linux", Map.of("WAYLAND_DISPLAY", "wayland-0")))
                .containsExactly("xdg-open");
        assertThat(DesktopBrowser.command("Linux", Map.of("DISPLAY", ""))).isEmpty();
        assertThat(DesktopBrowser.command("Mac OS X", Map.of())).containsExactly("open");
        assertThat(DesktopBrowser.command("Windows 11", Map.of())).startsWith("rundll32");
    }

    @Test
    void open_startsTheCommandWithTheAddress(@TempDir Path folder) throws Exception {
        Path seen = folder.resolve("seen");
        List<String> command = List.of("/bin/sh", "-c", "printf %s \"$1\" > " + seen, "browser");

        assertThat(browser(command).open(ADDRESS)).isTrue();
        assertThat(Files.readString(seen)).isEqualTo(ADDRESS.toString());
    }

    @Test
    void open_withoutACommandThatWorks_isFalse() throws Exception {
        assertThat(browser(List.of()).open(ADDRESS)).isFalse();
        assertThat(browser(List.of("/bin/sh", "-c", "exit 3")).open(ADDRESS)).isFalse();
        assertThat(browser(List.of("/no/such/browser")).open(ADDRESS)).isFalse();
    }

    /** Waits until the command ends, which a desktop's may never do. */
    private static DesktopBrowser browser(List<String> command) {
        return new DesktopBrowser(command, Duration.ofMinutes(2));
    }
}

package io.sluice.analyzer.cli;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The browser of the desktop, by the command that the system has for it. */
final class DesktopBrowser {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final List<String> command;
    private final Duration patience;

    /**
     * @param command to which the address is added; empty where there is no desktop
     * @param patience how long the command may take to fail
     */
    DesktopBrowser(List<String> command, Duration patience) {
        this.command = List.copyOf(command);
        this.patience = patience;
    }

    /** The browser of this machine. */
    static DesktopBrowser here() {
        return new DesktopBrowser(command(System.getProperty("os.name", ""), System.getenv()), PATIENCE);
    }

    /** Returns the command of a system, empty where it has no desktop. */
    static List<String> command(String system, Map<String, String> environment) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return List.of("open");
        }
        if (name.startsWith("windows")) {
            return List.of("rundll32", "url.dll,FileProtocolHandler");
        }
        boolean desktop = !environment.getOrDefault("DISPLAY", "").isEmpty()
                || !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
        return desktop ? List.of("xdg-open") : List.of();
    }

    /** Opens an address; false where no browser could be started. */
    boolean open(URI address) throws InterruptedException {
        if (command.isEmpty()) {
            return false;
        }
        List<String> line = new ArrayList<>(command);
        line.add(address.toString());
        try {
            Process started = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // some commands end at once, others with the browser
            return !started.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) || started.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

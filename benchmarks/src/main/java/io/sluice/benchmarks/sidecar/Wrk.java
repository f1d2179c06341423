package io.sluice.benchmarks.sidecar;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Debian's load generator, in C: it takes less of the shared processors than a client in Java would. One thread, {@value #CONNECTIONS}
 * connections that are kept alive, each asking again as soon as it was answered, on behalf of {@value #CALLERS} callers in turn.
 */
final class Wrk {
    private static final int CONNECTIONS = 32;
    private static final int CALLERS = 1000;
    private static final String SCRIPT = """
            local asks, next = {}, 0
            init = function()
              for i = 1, %d do
                asks[i] = wrk.format("GET", "/check", {
                  ["Host"] = "127.0.0.1", ["X-Sluice-Log"] = "%s", ["X-Sluice-Caller"] = "tenant-" .. i,
                  ["X-Original-URI"] = "/orders/" .. i, ["X-Original-Method"] = "GET" })
              end
            end
            request = function() next = next %% %d + 1; return asks[next] end
            """;
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s*([0-9.]+)");
    private static final Pattern WRONG = Pattern.compile("Non-2xx or 3xx responses:.*|Socket errors:.*");

    private Wrk() {}

    /** Asks for some seconds, and returns the answers a second. */
    static double rate(Path wrk, Path folder, URI server, String log, int seconds)
            throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("ask.lua"), SCRIPT.formatted(CALLERS, log, CALLERS));
        Process process = new ProcessBuilder(List.of(
                        wrk.toString(),
                        "-t1",
                        "-c" + CONNECTIONS,
                        "-d" + seconds + "s",
                        "-s",
                        script.toString(),
                        server.toString()))
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor(10, TimeUnit.SECONDS);
            return told(said);
        } finally {
            process.destroyForcibly();
        }
    }

    /** @throws IOException when it tells of errors: who answers wrongly is fast, and no contender */
    static double told(String said) throws IOException {
        Matcher rate = RATE.matcher(said);
        if (WRONG.matcher(said).find() || !rate.find()) {
            throw new IOException("wrk says:\n" + said);
        }
        return Double.parseDouble(rate.group(1));
    }
}

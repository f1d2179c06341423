package io.sluice.benchmarks.replay;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;

/**
 * An access log in the combined format, the same at each writing: many callers, few of whom call much, and one that is
 * far ahead of the others. Some lines are a few seconds late, as those of long requests are.
 */
final class CombinedLog {
    /** The caller with a tenth of all requests. */
    static final String BUSY = "203.0.113.7";

    private static final long SEED = 20;
    private static final long BEGIN_SECONDS = 1_772_445_600;
    private static final int LINES_A_SECOND = 800;
    private static final int CALLERS = 20_000;
    private static final int LATEST_SECONDS = 3;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String[] PATHS = {
        "/",
        "/orders",
        "/orders/%d",
        "/products/%d?ref=mail",
        "/assets/app.%d.js",
        "/login",
        "/api/v1/customers/%d/cart"
    };
    private static final String[] AGENTS = {
        "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
        "curl/8.5.0"
    };
    private static final int[] STATUSES = {200, 200, 200, 200, 200, 200, 304, 302, 404, 500};

    private final Random random = new Random(SEED);
    private String time = "";
    private long timeOf = Long.MIN_VALUE;

    private CombinedLog() {}

    /** Writes so many lines. */
    static void write(Path file, long lines) throws IOException {
        CombinedLog log = new CombinedLog();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            for (long line = 0; line < lines; line++) {
                out.write(log.line(line).getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    String line(long number) {
        long seconds = BEGIN_SECONDS + number / LINES_A_SECOND;
        long late = random.nextInt(50) == 0 ? random.nextInt(LATEST_SECONDS + 1) : 0;
        String path = PATHS[random.nextInt(PATHS.length)].replace("%d", Integer.toString(random.nextInt(10_000)));
        return caller() + " - - [" + time(seconds - late) + "] \"" + (random.nextInt(8) == 0 ? "POST " : "GET ") + path
                + " HTTP/1.1\" " + STATUSES[random.nextInt(STATUSES.length)] + " " + random.nextInt(60_000)
                + " \"https://shop.example.com/\" \"" + AGENTS[random.nextInt(AGENTS.length)] + "\"\n";
    }

    private String caller() {
        if (random.nextInt(10) == 0) {
            return BUSY;
        }
        // few are often drawn, most seldom: the third power leans on the small numbers
        double lean = random.nextDouble();
        int caller = (int) (lean * lean * lean * CALLERS);
        return "10." + (caller >> 16) + "." + ((caller >> 8) & 255) + "." + (caller & 255);
    }

    private String time(long seconds) {
        if (seconds != timeOf) {
            timeOf = seconds;
            time = TIME.format(Instant.ofEpochSecond(seconds));
        }
        return time;
    }
}

package io.sluice.analyzer.cli;

import picocli.CommandLine.Option;

/** Whether to look once or for long. */
final class WatchOptions {
    @Option(names = "--watch", description = "Show it again each second, until Ctrl-C; in place on a terminal.")
    private boolean watch;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "Stop watching after this long.",
            converter = Spans.class,
            defaultValue = "36500d")
    private long millis;

    /** How long to look, in milliseconds; 0: once. */
    long millis() {
        return watch ? millis : 0;
    }
}

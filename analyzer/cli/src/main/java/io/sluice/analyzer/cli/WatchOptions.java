package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.Terminal;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Options for a single or a repeated look. */
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

    /** Draws once, or as often and for as long as was asked for. */
    void draw(PrintWriter out, Redraw.Picture picture) throws Exception {
        if (watch) {
            new Redraw().whole(out, Terminal.here(), millis, picture);
        } else {
            picture.draw(out);
            out.flush();
        }
    }
}

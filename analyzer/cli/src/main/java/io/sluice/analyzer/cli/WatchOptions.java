package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.Terminal;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for a single or a repeated look. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class WatchOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

    @Option(names = "--watch", description = "Show it again each second, until Ctrl-C; in place on a terminal.")
    private boolean watch;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "Stop watching after this long.",
            converter = Spans.class)
    private @Nullable Long millis;

    /**
     * Checks the options. To be called before anything is read.
     *
     * @throws ParameterException for a duration without {@code --watch}
     */
    void check() {
        if (millis != null && !watch) {
            throw new ParameterException(
                    spec.commandLine(), "--for: found " + Spans.text(millis) + " without --watch, which it ends");
        }
    }

    /** Draws once, or as often and for as long as was asked for. */
    void draw(PrintWriter out, Redraw.Picture picture) throws Exception {
        if (watch) {
            new Redraw().whole(out, Terminal.here(), millis == null ? Long.MAX_VALUE : millis, picture);
        } else {
            picture.draw(out);
            out.flush();
        }
    }
}

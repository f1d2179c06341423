package io.sluice.analyzer.replay;

import io.sluice.settings.PolicyFile;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replays whole logs, as the command does. */
final class Replays {
    private Replays() {}

    /** A log among the test's resources. */
    static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(Replays.class.getResource("/logs/" + name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A log that goes by the name of its file, wherever that is. */
    static LogFile file(Path log) {
        return new LogFile(String.valueOf(log.getFileName()), log, false);
    }

    /** A policy that counts requests of each caller in a minute. */
    static String policy(String when) {
        return "policies: [{ name: noisy, per: [caller], window: 1m, lock: { when: [{ " + when + " }] } }]";
    }

    static ReplayResult of(@Nullable String policies, Path... logs) throws Exception {
        return of(policies, List.of(), logs);
    }

    static ReplayResult of(@Nullable String policies, List<String> callers, Path... logs) throws Exception {
        List<LogFile> files = new ArrayList<>();
        for (Path log : logs) {
            files.add(file(log));
        }
        Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false);
        var set = policies == null ? null : PolicyFile.read(policies.getBytes(StandardCharsets.UTF_8), "policies.yml");
        return new Replay(new Replay.Question(set, null, false), null, callers, progress).of(files);
    }
}

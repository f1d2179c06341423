package io.sluice.analyzer.replay;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the format that reads most of a log's first lines. */
public final class FormatGuess {
    private static final int LINES = 200;

    private FormatGuess() {}

    /**
     * The name of the format.
     *
     * @param option what sets the format instead
     * @throws IOException when no format reads a single line; the message is for the user
     */
    static String of(AccessLog log, List<String> callers, String option) throws IOException {
        List<byte[]> first = new ArrayList<>();
        try (Lines lines = log.lines()) {
            for (byte[] line = lines.next(); line != null && first.size() < LINES; line = lines.next()) {
                first.add(line);
            }
        }
        String best = "";
        int most = 0;
        StringBuilder reasons = new StringBuilder();
        for (String name : LogFormats.names()) {
            int read = 0;
            String reason = "";
            try {
                LogFormat format = LogFormats.of(source(name, callers));
                for (byte[] line : first) {
                    try {
                        format.read(line);
                        read++;
                    } catch (MalformedRecord e) {
                        reason = reason.isEmpty() ? String.valueOf(e.getMessage()) : reason;
                    }
                }
            } catch (IllegalArgumentException e) {
                reason = String.valueOf(e.getMessage());
            }
            reasons.append("\n  ").append(name).append(": ").append(reason);
            if (read > most) {
                best = name;
                most = read;
            }
        }
        if (first.isEmpty()) {
            throw new IOException(log.name() + ": empty");
        }
        if (most == 0) {
            throw new IOException(log.name() + ": no format reads its first " + Plural.of(first.size(), "line") + ";"
                    + " set it with " + option + reasons);
        }
        return best;
    }

    /** Returns how a log without configuration is read. */
    public static SourceSettings source(String format, List<String> callers) {
        return new SourceSettings("replay", format, callers, null, null, Set.of(429), Map.of(), Map.of(), List.of());
    }
}

package io.sluice.analyzer.replay.scenario;

import io.sluice.analyzer.replay.Lines;
import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Plays a scenario's events: in their own time, or as the live analyzer would where each line also has the time when it was
 * {@code appended}.
 */
final class ScenarioEvents {
    private static final String APPENDED = "appended";
    private static final long NOT_SAID = -1;

    private final ReplayEngine engine;
    private final RequestEventReader reader = RequestEventReader.ours();
    private boolean appendTimes;
    private long last = Long.MIN_VALUE;

    private ScenarioEvents(ReplayEngine engine) {
        this.engine = engine;
    }

    /**
     * Plays all of them; returns how many there were.
     *
     * @throws IOException naming the line that can't be played and why, for the user
     */
    static long play(Path file, ReplayEngine engine) throws IOException {
        ScenarioEvents events = new ScenarioEvents(engine);
        long count = 0;
        try (Lines lines = Scenario.lines(file)) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                try {
                    events.play(line, count++ == 0);
                } catch (MalformedRecord e) {
                    throw new IOException(file + ":" + lines.number() + ": " + e.getMessage(), e);
                }
            }
        }
        return count;
    }

    private void play(byte[] line, boolean first) throws MalformedRecord {
        RequestEvent event = reader.read(line);
        long appended = appended(line);
        if (first) {
            appendTimes = appended != NOT_SAID;
        } else if (appendTimes != (appended != NOT_SAID)) {
            throw new MalformedRecord(APPENDED + (appendTimes ? " is missing, which" : " stands here, which not")
                    + " all lines before have: all lines have it, or none");
        }
        long clock = appendTimes ? appended : event.time();
        if (clock < last) {
            throw new MalformedRecord((appendTimes ? APPENDED : "time") + ": found " + clock + ", allowed: " + last
                    + " or later, as in the line before");
        }
        last = clock;
        if (appendTimes) {
            engine.add(event, appended);
        } else {
            engine.add(event);
        }
    }

    /** What the ordinary reader of events knows nothing of. */
    private static long appended(byte[] line) throws MalformedRecord {
        long appended = NOT_SAID;
        try (JsonObjectReader fields = JsonObjectReader.of(line, "request")) {
            while (fields.next()) {
                if (fields.field().equals(APPENDED)) {
                    appended = fields.whole(0, Long.MAX_VALUE);
                } else {
                    fields.skip();
                }
            }
        }
        return appended;
    }
}

package io.sluice.analyzer.replay.scenario;

import io.sluice.analyzer.replay.Lines;
import io.sluice.analyzer.replay.LogFile;
import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A scenario's folder, read but for its events, which may be many. */
record Scenario(String name, PolicySet policies, List<ExpectedLock> expected, Path events) {
    static final String POLICIES = "policy.yml";
    static final String EVENTS = "events.jsonl";
    static final String EXPECTED = "expected-locks.jsonl";
    static final String FILES = POLICIES + ", " + EVENTS + " and " + EXPECTED;

    /** @throws IOException saying what is missing or wrong, for the user */
    static Scenario read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + ": no such folder; a scenario is a folder with " + FILES);
        }
        try {
            return new Scenario(
                    String.valueOf(folder.toRealPath().getFileName()),
                    PolicyFile.read(folder.resolve(POLICIES)),
                    ExpectedLock.read(folder.resolve(EXPECTED)),
                    folder.resolve(EVENTS));
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** @throws IOException when there is no such file; the message is for the user */
    static Lines lines(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": no such file; a scenario has " + FILES);
        }
        return new LogFile(file.toString(), file, false).lines();
    }

    /** @throws IOException when an event can't be played; the message is for the user */
    Outcome play() throws IOException {
        try (ReplayEngine engine = new ReplayEngine(policies)) {
            long count = ScenarioEvents.play(events, engine);
            return Outcome.of(expected, engine.locks(), count, engine.late());
        }
    }
}

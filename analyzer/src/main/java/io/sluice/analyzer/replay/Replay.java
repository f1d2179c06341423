package io.sluice.analyzer.replay;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads logs twice and replays them. */
final class Replay {
    private final @Nullable PolicySet policies;
    private final @Nullable String format;
    private final List<String> callers;
    private final Progress progress;
    private final DeadLetters deadLetters = new DeadLetters();
    private final List<ReplayResult.ReadLog> read = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * @param policies {@code null} to look at callers only
     * @param format {@code null} to find it out, for each log
     * @param callers empty for the format's default
     */
    Replay(@Nullable PolicySet policies, @Nullable String format, List<String> callers, Progress progress) {
        this.policies = policies;
        this.format = format;
        this.callers = callers;
        this.progress = progress;
    }

    /**
     * @throws IOException when a log can't be read; the message is for the user
     */
    ReplayResult of(List<LogFile> logs) throws IOException {
        for (LogFile log : logs) {
            survey(log);
        }
        Callers seen = new Callers();
        List<ReplayLock> locks = List.of();
        PolicySet set = policies;
        if (set == null) {
            play(logs, seen, null);
        } else {
            noteLimits(set);
            try (ReplayEngine engine = new ReplayEngine(set)) {
                play(logs, seen, engine);
                locks = engine.locks();
            }
        }
        noteCallers(seen);
        progress.done();
        Suggestion suggestion = set == null && seen.count() > 0 ? Suggestion.of(seen) : null;
        return new ReplayResult(
                List.copyOf(read), deadLetters, set, locks, seen, suggestion, List.copyOf(notes), progress.seconds());
    }

    private void survey(LogFile log) throws IOException {
        progress.step("reading " + log.name());
        String given = format;
        String name = given == null ? FormatGuess.of(log, callers) : given;
        LogFormat reader = LogFormats.of(source(name));
        Survey survey = survey(log, reader);
        read.add(new ReplayResult.ReadLog(log.name(), name, given == null, survey));
        if (reader.identity() == Identity.CLAIMED && locksCallers()) {
            notes.add(
                    log.name() + ": its callers are only claimed, so a policy that counts per caller never locks them");
        }
    }

    private Survey survey(LogFile log, LogFormat reader) throws IOException {
        try {
            return Survey.of(log, reader, deadLetters, progress);
        } catch (EOFException | ZipException e) {
            throw new IOException(log.name() + ": compressed, and damaged or cut off", e);
        }
    }

    private void play(List<LogFile> logs, Callers seen, @Nullable ReplayEngine engine) throws IOException {
        progress.step("replaying");
        List<OrderedLog> ordered = new ArrayList<>();
        try {
            for (int i = 0; i < logs.size(); i++) {
                ReplayResult.ReadLog found = read.get(i);
                LogFormat reader = LogFormats.of(source(found.format()));
                ordered.add(new OrderedLog(logs.get(i), reader, found.survey().disorder(), progress));
            }
            MergedLogs merged = new MergedLogs(ordered);
            for (RequestEvent event = merged.next(); event != null; event = merged.next()) {
                seen.add(event);
                if (engine != null) {
                    engine.add(event);
                }
            }
        } finally {
            for (OrderedLog log : ordered) {
                log.close();
            }
        }
    }

    private SourceSettings source(String name) {
        return FormatGuess.source(name, callers);
    }

    private boolean locksCallers() {
        return policies != null
                && policies.policies().stream()
                        .anyMatch(policy -> policy.lock() != null
                                && policy.per().stream()
                                        .anyMatch(attribute -> attribute.kind() == Attribute.Kind.CALLER));
    }

    private void noteLimits(PolicySet set) {
        for (Policy policy : set.policies()) {
            if (policy.limit() != null) {
                notes.add("policy " + policy.name() + ": its limit is kept by the agents and not replayed");
            }
        }
    }

    private void noteCallers(Callers seen) {
        if (seen.count() == 1 && seen.requests() > 1) {
            notes.add("all requests come from one caller, perhaps a proxy's address: --caller names another field,"
                    + " such as '$http_x_api_key'");
        }
        if (seen.unlisted() > 0) {
            notes.add(seen.unlisted() + " requests of callers beyond the first " + seen.count()
                    + " are counted by policies, but not listed here");
        }
    }
}

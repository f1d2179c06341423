package io.sluice.analyzer.replay;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads logs twice and replays them. */
public final class Replay {
    private final Question question;
    private final @Nullable String format;
    private final List<String> callers;
    private final Progress progress;
    private final DeadLetters deadLetters = new DeadLetters();
    private final List<SourceSettings> sources = new ArrayList<>();
    private final List<ReplayResult.ReadLog> read = new ArrayList<>();
    private final Notes notes = new Notes();

    /**
     * Questions to the logs.
     *
     * @param policies {@code null} to look at callers only
     * @param against policies to compare them with, or {@code null}
     * @param exact whether the exact method is to judge the locks
     */
    public record Question(
            @Nullable PolicySet policies, @Nullable PolicySet against, boolean exact) {
        private boolean timed() {
            return against != null;
        }
    }

    /**
     * @param format of the logs that don't know their own; {@code null} to find it out, for each log
     * @param callers empty for the format's default
     */
    public Replay(Question question, @Nullable String format, List<String> callers, Progress progress) {
        this.question = question;
        this.format = format;
        this.callers = callers;
        this.progress = progress;
    }

    /**
     * @throws IOException when a log can't be read; the message is for the user
     */
    public ReplayResult of(List<? extends AccessLog> logs) throws IOException {
        for (AccessLog log : logs) {
            survey(log);
        }
        Callers seen = new Callers();
        Tried tried;
        Tried before;
        try (Trial trial = trial(question.policies());
                Trial other = trial(question.against())) {
            play(logs, seen, trial, other);
            tried = trial == null ? null : trial.result();
            before = other == null ? null : other.result();
        }
        Comparison comparison = tried == null || before == null ? null : Comparison.of(before, tried);
        if (tried != null) {
            notes.limits(tried.set());
            notes.meanings(tried, comparison != null);
        }
        notes.callers(seen);
        progress.done();
        Suggestion suggestion = tried == null && seen.count() > 0 ? Suggestion.of(seen) : null;
        return new ReplayResult(
                List.copyOf(read), deadLetters, tried, comparison, seen, suggestion, notes.all(), progress.seconds());
    }

    private void survey(AccessLog log) throws IOException {
        progress.step("reading " + log.name());
        SourceSettings source = source(log);
        LogFormat reader = LogFormats.of(source);
        Survey survey = survey(log, reader);
        sources.add(source);
        boolean guessed = log.source() == null && format == null;
        read.add(new ReplayResult.ReadLog(log.name(), source.format(), guessed, survey));
        PolicySet set = question.policies();
        if (reader.identity() == Identity.CLAIMED && set != null) {
            notes.claimed(log.name(), set);
        }
    }

    private SourceSettings source(AccessLog log) throws IOException {
        SourceSettings own = log.source();
        String given = format;
        return own != null ? own : FormatGuess.source(given == null ? FormatGuess.of(log, callers) : given, callers);
    }

    private Survey survey(AccessLog log, LogFormat reader) throws IOException {
        try {
            return Survey.of(log, reader, deadLetters, progress);
        } catch (EOFException | ZipException e) {
            throw new IOException(log.name() + ": compressed, and damaged or cut off", e);
        }
    }

    private @Nullable Trial trial(@Nullable PolicySet set) {
        return set == null ? null : new Trial(set, question.timed(), question.exact());
    }

    private void play(List<? extends AccessLog> logs, Callers seen, @Nullable Trial trial, @Nullable Trial other)
            throws IOException {
        progress.step("replaying");
        List<OrderedLog> ordered = new ArrayList<>();
        try {
            for (int i = 0; i < logs.size(); i++) {
                LogFormat reader = LogFormats.of(sources.get(i));
                long disorder = read.get(i).survey().disorder();
                ordered.add(new OrderedLog(logs.get(i), reader, disorder, progress));
            }
            MergedLogs merged = new MergedLogs(ordered);
            for (RequestEvent event = merged.next(); event != null; event = merged.next()) {
                seen.add(event);
                if (trial != null) {
                    trial.add(event);
                }
                if (other != null) {
                    other.add(event);
                }
            }
        } finally {
            for (OrderedLog log : ordered) {
                log.close();
            }
        }
    }
}

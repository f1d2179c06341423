package io.sluice.analyzer.replay;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
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
    private final Allowance allowance;
    private final BusiestCallers busiest;
    private final DeadLetters deadLetters = new DeadLetters();
    private final List<SourceSettings> sources = new ArrayList<>();
    private final List<ReplayResult.ReadLog> read = new ArrayList<>();
    private final OptionNames options;
    private final Notes notes;

    /**
     * Questions to the logs.
     *
     * @param policies {@code null} to look at callers only
     * @param against policies to compare them with, or {@code null}
     * @param exact whether the exact method is to judge the locks
     * @param timeline whether requests and would-be rejections are counted over time
     */
    public record Question(
            @Nullable PolicySet policies, @Nullable PolicySet against, boolean exact, boolean timeline) {
        /** Questions without a timeline. */
        public Question(@Nullable PolicySet policies, @Nullable PolicySet against, boolean exact) {
            this(policies, against, exact, false);
        }

        private boolean timed() {
            return against != null;
        }
    }

    /**
     * @param format of the logs that don't know their own; {@code null} to find it out, for each log
     * @param callers empty for the format's default
     */
    public Replay(Question question, @Nullable String format, List<String> callers, Progress progress) {
        this(question, format, callers, progress, Allowance.ofHeap(), OptionNames.COMMAND);
    }

    /**
     * A replay for the HTTP API within bounds, which begin to count now.
     *
     * @param format of the logs that don't know their own; {@code null} to find it out, for each log
     * @param callers empty for the format's default
     */
    public Replay(Question question, @Nullable String format, List<String> callers, ReplayBounds bounds) {
        this(
                question,
                format,
                callers,
                new Progress(new PrintWriter(Writer.nullWriter()), false),
                new Allowance(bounds, System::nanoTime),
                OptionNames.API);
    }

    private Replay(
            Question question,
            @Nullable String format,
            List<String> callers,
            Progress progress,
            Allowance allowance,
            OptionNames options) {
        this.options = options;
        notes = new Notes(options);
        this.allowance = allowance;
        busiest = new BusiestCallers(allowance.bounds().callers());
        this.question = question;
        this.format = format;
        this.callers = callers;
        this.progress = progress;
    }

    /**
     * @throws IOException when a log can't be read; the message is for the user
     * @throws BeyondBounds when it exceeds a bound
     */
    public ReplayResult of(List<? extends AccessLog> logs) throws IOException {
        for (AccessLog log : logs) {
            try {
                survey(log);
            } catch (EOFException | ZipException e) {
                throw new IOException(log.name() + ": compressed, and damaged or cut off", e);
            }
        }
        Callers seen = new Callers(allowance.bounds().callers());
        Timeline timeline = timeline();
        Tried tried;
        Tried before;
        try (Trial trial = trial(question.policies(), timeline);
                Trial other = trial(question.against(), null)) {
            play(logs, new Played(seen, timeline), trial, other);
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
                List.copyOf(read),
                deadLetters,
                tried,
                comparison,
                seen,
                timeline,
                suggestion,
                notes.all(),
                progress.seconds());
    }

    private void survey(AccessLog log) throws IOException {
        progress.step("reading " + log.name());
        SourceSettings source = source(log);
        LogFormat reader = LogFormats.of(source);
        Survey survey = Survey.of(log, reader, deadLetters, new Reading());
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
        if (own != null) {
            return own;
        }
        return FormatGuess.source(given == null ? FormatGuess.of(log, callers, options.format()) : given, callers);
    }

    private @Nullable Timeline timeline() {
        List<Survey> found = read.stream()
                .map(ReplayResult.ReadLog::survey)
                .filter(survey -> survey.events() > 0)
                .toList();
        return !question.timeline() || found.isEmpty()
                ? null
                : new Timeline(
                        found.stream().mapToLong(Survey::from).min().orElseThrow(),
                        found.stream().mapToLong(Survey::to).max().orElseThrow(),
                        busiest.first(Timeline.CALLERS));
    }

    private @Nullable Trial trial(@Nullable PolicySet set, @Nullable Timeline timeline) {
        return set == null ? null : new Trial(set, question.timed(), question.exact(), allowance, timeline);
    }

    /** Takes bytes and callers as a log is read for the first time. */
    private final class Reading implements Survey.Reading {
        @Override
        public void line(int length) {
            progress.line(length);
            allowance.line(length);
        }

        @Override
        public void event(RequestEvent event) {
            if (question.timeline()) {
                busiest.add(event);
            }
        }
    }

    /** Counters of each event in order. */
    private record Played(Callers callers, @Nullable Timeline timeline) {
        void add(RequestEvent event) {
            callers.add(event);
            if (timeline != null) {
                timeline.add(event);
            }
        }
    }

    private void play(List<? extends AccessLog> logs, Played seen, @Nullable Trial trial, @Nullable Trial other)
            throws IOException {
        progress.step("replaying");
        List<OrderedLog> ordered = new ArrayList<>();
        try {
            for (int i = 0; i < logs.size(); i++) {
                LogFormat reader = LogFormats.of(sources.get(i));
                Survey survey = read.get(i).survey();
                long waiting = allowance.bounds().waiting();
                ordered.add(new OrderedLog(logs.get(i), reader, survey.disorder(), survey.events(), waiting, progress));
            }
            MergedLogs merged = new MergedLogs(ordered);
            for (RequestEvent event = merged.next(); event != null; event = merged.next()) {
                allowance.time();
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

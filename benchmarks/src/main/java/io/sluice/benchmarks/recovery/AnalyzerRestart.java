package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Rounds.Contender;
import io.sluice.benchmarks.measure.Rounds.Sample;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.recovery.RestartChild.End;
import io.sluice.benchmarks.workload.EventLog;
import io.sluice.benchmarks.workload.JavaOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/**
 * From the start of a process to an analyzer that counts new events and decides again, after events of a million
 * subjects: its state kept or lost, after a clean end or a kill, against the start of an empty topology of Kafka Streams.
 */
final class AnalyzerRestart {
    private static final String REQUESTS = RestartChild.PREFIX + "requests";
    private static final String GROUP = RestartChild.PREFIX + "sluice-analyzer";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String bootstrapServers;
    private final Path state;

    /** @param folder for the analyzer's state; the caller deletes it */
    AnalyzerRestart(String bootstrapServers, Path folder) {
        this.bootstrapServers = bootstrapServers;
        state = folder.resolve("state");
    }

    void run(Scale scale, Report report) throws Exception {
        int subjects = scale.choose(100_000, 1_000_000);
        fill(subjects);
        List<String> changelogs = changelogs();
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new Contender("bare consumer, the changelogs' bytes", () -> read(changelogs)));
        contenders.add(new Contender("Kafka Streams, an empty topology", this::startEmpty));
        contenders.add(restart("analyzer, state kept after a clean end", End.CLEAN, () -> {}));
        contenders.add(restart("analyzer, state lost", End.CLEAN, this::loseState));
        contenders.add(restart("analyzer, state kept after a kill", End.KILLED, () -> {}));
        contenders.add(restart("analyzer, state lost after a kill", End.KILLED, this::loseState));
        contenders.add(restart("analyzer, state lost, the former session over", End.KILLED, () -> {
            loseState();
            awaitEndOfSession();
        }));
        List<Series> series;
        try (Trickle trickle = Trickle.open(bootstrapServers, REQUESTS)) {
            trickle.begin();
            series = new Rounds(scale.choose(1, 3), System.err::println).measure("s", contenders);
        }
        report.add(series);
        Series empty = series.get(1);
        // an instance without its state waits for the end of its former session, up to six seconds
        report.ratio("state lost over an empty topology", series.get(3).over(empty), Goal.atMost(1.5, 4));
        report.ratio(
                "state lost after a kill over an empty topology", series.get(5).over(empty), Goal.atMost(1.5, 4));
        report.ratio(
                "state lost, the former session over, over an empty topology",
                series.get(6).over(empty),
                Goal.atMost(1.5, 4));
        report.ratio("state kept after a clean end, over 3 s", series.get(2).median() / 3, Goal.atMost(1, 3));
        report.ratio("state kept after a kill, over 3 s", series.get(4).median() / 3, Goal.atMost(1, 3));
    }

    /** An event of each subject, counted and committed. */
    private void fill(int subjects) throws Exception {
        AtomicInteger next = new AtomicInteger();
        new EventLog(REQUESTS, 4, subjects, false, 1, random -> next.getAndIncrement()).write(bootstrapServers);
        start(subjects, End.CLEAN);
        // what the meter sent at its end is taken up by a second life
        try (Trickle trickle = Trickle.open(bootstrapServers, REQUESTS)) {
            trickle.begin();
            start(1, End.CLEAN);
            startEmpty();
        }
    }

    /** What happens between the end of a life and the start of the next. */
    private interface Meanwhile {
        void happens() throws Exception;
    }

    private Contender restart(String name, End before, Meanwhile meanwhile) {
        Sample sample = () -> {
            start(1, before);
            meanwhile.happens();
            return start(1, End.CLEAN);
        };
        return new Contender(name, sample);
    }

    private void loseState() throws IOException {
        delete(state);
    }

    private void awaitEndOfSession() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            while (admin.describeConsumerGroups(List.of(GROUP)).all().get().values().stream()
                    .anyMatch(group -> !group.members().isEmpty())) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private Admin admin() {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers));
    }

    private double start(long events, End end) throws IOException, InterruptedException {
        return seconds(Child.run(
                RestartChild.class,
                JavaOptions.SERVER,
                List.of(bootstrapServers, state.toString(), Long.toString(events), end.name()),
                PATIENCE));
    }

    private double startEmpty() throws IOException, InterruptedException {
        List<String> arguments = List.of(
                bootstrapServers, REQUESTS, state.resolveSibling("empty").toString());
        return seconds(Child.run(EmptyStartChild.class, JavaOptions.SERVER, arguments, PATIENCE));
    }

    private double read(List<String> topics) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(bootstrapServers));
        arguments.addAll(topics);
        return seconds(Child.run(ReaderChild.class, JavaOptions.SERVER, arguments, PATIENCE));
    }

    private static double seconds(Map<String, Double> figures) {
        return figures.getOrDefault("seconds", Double.NaN);
    }

    private List<String> changelogs() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith(RestartChild.PREFIX) && name.endsWith("-changelog"))
                    .sorted()
                    .toList();
        }
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}

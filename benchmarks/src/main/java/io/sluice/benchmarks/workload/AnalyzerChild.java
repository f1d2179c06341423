package io.sluice.benchmarks.workload;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.benchmarks.measure.Child;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/** The process of an {@link AnalyzerRun}: the analyzer as it is, watched from beside. */
final class AnalyzerChild {
    private static final long LOOK_MILLIS = 10;
    /** When no event came for so long the log may be at its end. */
    private static final double QUIET_SECONDS = 0.1;

    private final Map<String, String> arguments;
    private final Analyzer analyzer;
    private final Lag lag;
    private final String usage;
    private Map<TopicPartition, Long> usageOfAll = Map.of();

    private AnalyzerChild(Map<String, String> arguments, Analyzer analyzer, Lag lag) {
        this.arguments = arguments;
        this.analyzer = analyzer;
        this.lag = lag;
        usage = arguments.get("prefix") + "usage";
    }

    public static void main(String... pairs) throws Exception {
        Child.endWithParent();
        Map<String, String> arguments = Arrays.stream(pairs)
                .collect(Collectors.toMap(
                        pair -> pair.substring(0, pair.indexOf('=')), pair -> pair.substring(pair.indexOf('=') + 1)));
        Map<String, Object> client = Map.of("bootstrap.servers", text(arguments, "bootstrap"));
        try (Admin admin = Admin.create(client)) {
            try (Analyzer analyzer = Analyzer.start(options(arguments, client))) {
                Lag lag = new Lag(admin, arguments.get("prefix") + "sluice-analyzer");
                new AnalyzerChild(arguments, analyzer, lag).measure();
            }
            if (Boolean.parseBoolean(arguments.get("tidy"))) {
                tidy(admin, text(arguments, "prefix"));
            }
        }
    }

    private static String text(Map<String, String> arguments, String name) {
        String value = arguments.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + "= is missing");
        }
        return value;
    }

    private static long whole(Map<String, String> arguments, String name) {
        return Long.parseLong(text(arguments, name));
    }

    /** Returns a number of events that a run may be given. */
    private long argument(String name, long otherwise) {
        return arguments.containsKey(name) ? whole(arguments, name) : otherwise;
    }

    private static AnalyzerOptions options(Map<String, String> arguments, Map<String, Object> client) throws Exception {
        SourceSettings source = new SourceSettings(
                text(arguments, "topic"), "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        AnalyzerSettings analyzer = new AnalyzerSettings(
                text(arguments, "instance"),
                Path.of(text(arguments, "state")),
                (int) whole(arguments, "threads"),
                0,
                false,
                whole(arguments, "tick"),
                whole(arguments, "commit"),
                60_000,
                5_000,
                // a log that was written a minute ago opens locks as one of this very second does
                TimeUnit.HOURS.toMillis(1),
                TimeUnit.MINUTES.toMillis(10),
                128 << 20);
        return new AnalyzerOptions(
                client,
                new TopicSettings(text(arguments, "prefix"), (int) whole(arguments, "partitions"), (short) -1, true),
                true,
                List.of(source),
                analyzer,
                PolicyFile.read(Path.of(text(arguments, "policies"))));
    }

    private static void tidy(Admin admin, String prefix) throws Exception {
        admin.deleteTopics(admin.listTopics().names().get().stream()
                        .filter(name -> name.startsWith(prefix))
                        .toList())
                .all()
                .get();
    }

    private void measure() throws Exception {
        while (events() == 0) {
            pause();
        }
        Usage warm = Usage.begin(0);
        while (warm.seconds() * 1000 < whole(arguments, "warmUp") || events() < argument("warmUpEvents", 0)) {
            pause();
        }
        Usage span = Usage.begin(events());
        watch(span, whole(arguments, "span") / 1000.0);
        span.tell(events(), span.seconds());
        tell();
    }

    /** Waits for the end: of both stages, for the first may run away from the second. */
    private void watch(Usage span, double longest) throws Exception {
        long seen = events();
        long most = argument("events", Long.MAX_VALUE - seen) + seen;
        double moved = 0;
        while (span.seconds() < longest && seen < most) {
            pause();
            long now = events();
            if (now != seen) {
                seen = now;
                moved = span.seconds();
            } else if (span.seconds() - moved > QUIET_SECONDS && ended()) {
                return;
            }
        }
    }

    /**
     * All events are committed, and so is all usage that there was by then; meters tell how far they have read for ever, so
     * there is always more.
     */
    private boolean ended() throws Exception {
        if (usageOfAll.isEmpty() && lag.of(text(arguments, "topic")) == 0) {
            usageOfAll = lag.ends(usage);
        }
        return !usageOfAll.isEmpty() && lag.until(usageOfAll) == 0;
    }

    private void tell() throws Exception {
        Child.tell("ended", ended() ? 1 : 0);
        told("eventsRead", events());
        told("usageRecords", lag.records(usage));
        told("usageLag", lag.of(usage));
        told("partials", counted(Count.PARTIALS));
        told("opened", counted(Count.OPENED));
        told("silenced", counted(Count.SILENCED));
        told("late", counted(Count.LATE));
        told("deadLetters", counted(Count.DEAD_LETTERS));
    }

    private static void told(String name, long value) {
        Child.tell(name, (double) value);
    }

    private long events() {
        return counted(Count.EVENTS);
    }

    private long counted(Count count) {
        return analyzer.tallies().total(count);
    }

    private static void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
}

package io.sluice.benchmarks.reaction;

import io.sluice.benchmarks.measure.Scale;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.kafka.embedded.KafkaProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The contestants, side by side on one broker: each has its own topics, a JVM of its own, and nothing to do while it is not
 * its turn.
 */
final class Field implements AutoCloseable {
    static final String FLOOR = "three round trips and a tick";
    static final String OURS = "the analyzer";
    static final String EXACTLY_ONCE = "the analyzer, exactly-once";
    static final String STOCK = "stock settings";

    private static final List<String> BROKER = List.of("-Xmx1g", "-Xms1g");
    private static final List<String> CONTESTANT = List.of("-Xmx1g", "-Xms512m");
    /** A few seconds are too short for the compiler that takes its time. */
    private static final String SOON = "-XX:TieredStopAtLevel=1";

    private static final String THOROUGH = "-XX:TieredStopAtLevel=4";
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Deque<Closeable> open = new ArrayDeque<>();
    private final List<Contestant> contestants = new ArrayList<>();
    private final Path states;
    private final Scale scale;
    private final String compiler;
    private final String bootstrap;

    private record Starting(String name, String prefix, Standing process) {}

    private Field(Scale scale) throws IOException {
        this.scale = scale;
        compiler = scale.choose(SOON, THOROUGH);
        states = Files.createTempDirectory("reaction");
        open.push(() -> delete(states));
        KafkaProcess broker = KafkaProcess.builder()
                .javaOptions(with(BROKER).toArray(String[]::new))
                .start();
        open.push(broker::close);
        bootstrap = broker.bootstrapServers();
    }

    static Field open(Scale scale) throws Exception {
        Field field = new Field(scale);
        try {
            field.begin();
            return field;
        } catch (Exception e) {
            field.close();
            throw e;
        }
    }

    private void begin() throws Exception {
        PolicySet policies = CheckoutPolicies.read();
        // all at once: a JVM that starts waits a good deal
        Standing floor = start(FloorChild.class, "floor.");
        List<Starting> analyzers = new ArrayList<>();
        analyzers.add(new Starting(OURS, "ours.", start(SluiceChild.class, "ours.", "at-least-once")));
        if (scale == Scale.FULL) {
            // they have no goal, and their start and warm-up would take most of a quick run
            analyzers.add(new Starting(EXACTLY_ONCE, "exact.", start(SluiceChild.class, "exact.", "exactly-once")));
            analyzers.add(new Starting(STOCK, "stock.", start(StockChild.class, "stock.")));
        }
        floor.awaitReady();
        Followers followers = new Followers(bootstrap, new TopicNames("floor.").gateLocks());
        followers.awaitReady();
        enter(new Contestant(FLOOR, new TopicNames("floor."), followers, TICK_NANOS));
        for (Starting analyzer : analyzers) {
            enter(analyzer, policies);
        }
        for (Contestant contestant : contestants) {
            if (contestant.witness() instanceof Gates gates) {
                gates.awaitFresh();
            }
        }
    }

    private List<String> with(List<String> options) {
        List<String> all = new ArrayList<>(options);
        all.add(compiler);
        return all;
    }

    private Standing start(Class<?> main, String prefix, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of(bootstrap, prefix, states.resolve(prefix).toString()));
        arguments.addAll(List.of(more));
        Standing standing = Standing.start(main, with(CONTESTANT), arguments);
        open.push(standing::close);
        return standing;
    }

    private void enter(Starting analyzer, PolicySet policies) throws IOException, InterruptedException {
        analyzer.process.awaitReady();
        Gates gates = new Gates(bootstrap, analyzer.prefix, policies);
        enter(new Contestant(analyzer.name, new TopicNames(analyzer.prefix), gates, 0));
    }

    private void enter(Contestant contestant) {
        open.push(contestant.witness()::close);
        contestants.add(contestant);
    }

    String bootstrap() {
        return bootstrap;
    }

    List<Contestant> contestants() {
        return List.copyOf(contestants);
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}

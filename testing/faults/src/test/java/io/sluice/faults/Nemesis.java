package io.sluice.faults;

import io.sluice.faults.history.Entry;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.Records;
import io.sluice.faults.net.TcpProxy;
import io.sluice.faults.poison.Corpus;
import io.sluice.faults.process.JavaProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Brings about faults by a seed: the same seed, the same faults in the same order. Each lasts a few seconds and ends before the
 * next begins, or goes on through it. One thread.
 */
final class Nemesis {
    private static final int SHORTEST = 500;
    private static final int LONGEST = 6_000;
    private static final int LATEST = 100;
    private static final byte[] KEY = "poison".getBytes(StandardCharsets.UTF_8);

    private final Random random;
    private final FaultyBroker broker;
    private final Surroundings around;
    private final Map<Kind, Integer> done = new LinkedHashMap<>();
    private final List<Runnable> ends = new ArrayList<>();
    private int restarts;

    private enum Kind {
        ANALYZER_KILLED,
        ANALYZER_FROZEN,
        ANALYZER_RESTARTED,
        ANALYZERS_CUT_OFF,
        ANALYZERS_SLOWED,
        AGENT_CUT_OFF,
        AGENT_SLOWED,
        BROKER_FROZEN,
        BROKER_KILLED,
        POISON
    }

    Nemesis(long seed, FaultyBroker broker, Surroundings around) {
        this.random = new Random(seed);
        this.broker = broker;
        this.around = around;
    }

    /** Faults for so long. */
    void rage(int seconds, Map<String, JavaProcess> analyzers) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            String instance = random.nextBoolean() ? "a" : "b";
            JavaProcess analyzer = analyzers.get(instance);
            if (analyzer == null) {
                throw new IllegalStateException("no analyzer " + instance);
            }
            begin(kind, instance, analyzer);
            Surroundings.pass(SHORTEST + random.nextInt(LONGEST));
            // some go on while the next ones begin
            if (random.nextInt(3) > 0 || ends.size() > 2) {
                heal(analyzers);
                Surroundings.pass(SHORTEST + random.nextInt(LONGEST / 2));
            }
            look(analyzers);
        }
    }

    private void begin(Kind kind, String instance, JavaProcess analyzer) {
        around.history.add(Entry.Kind.FAULT, kind.name(), instance);
        done.merge(kind, 1, Integer::sum);
        switch (kind) {
            case ANALYZER_KILLED -> {
                analyzer.kill();
                ends.add(() -> startAgain(analyzer));
            }
            case ANALYZER_FROZEN -> {
                if (analyzer.alive()) {
                    analyzer.freeze();
                }
                ends.add(Nemesis::wake);
            }
            case ANALYZER_RESTARTED -> {
                analyzer.terminate();
                ends.add(() -> {
                    analyzer.exit(Surroundings.PATIENCE);
                    startAgain(analyzer);
                });
            }
            case ANALYZERS_CUT_OFF -> door("ANALYZER", cut());
            case ANALYZERS_SLOWED -> door("ANALYZER", slow());
            case AGENT_CUT_OFF -> door("AGENT", cut());
            case AGENT_SLOWED -> door("AGENT", slow());
            case BROKER_FROZEN -> {
                if (broker.process().alive()) {
                    broker.process().freeze();
                }
                ends.add(Nemesis::wake);
            }
            case BROKER_KILLED -> {
                broker.process().kill();
                ends.add(this::startBrokerAgain);
            }
            case POISON -> poison();
        }
    }

    private TcpProxy.Mode cut() {
        return List.of(TcpProxy.Mode.BLACKHOLE, TcpProxy.Mode.RESET, TcpProxy.Mode.HALF_CLOSE)
                .get(random.nextInt(3));
    }

    private TcpProxy.Mode slow() {
        return random.nextBoolean()
                ? TcpProxy.Mode.delay(1 + random.nextInt(LATEST))
                : TcpProxy.Mode.throttle(100_000 + random.nextInt(1_000_000));
    }

    private void door(String name, TcpProxy.Mode mode) {
        broker.door(name).mode(mode);
        ends.add(() -> broker.door(name).mode(TcpProxy.Mode.PASS));
    }

    private void poison() {
        if (!broker.process().alive() || !ends.isEmpty()) {
            return;
        }
        List<byte[]> corpus = new ArrayList<>(Corpus.anywhere().values());
        try (Records to = Records.to(broker.bootstrap())) {
            for (String topic : List.of(
                    around.topics.requests(),
                    around.topics.usage(),
                    around.topics.operator(),
                    around.topics.agents())) {
                to.send(topic, 0, KEY, corpus.get(random.nextInt(corpus.size())));
            }
            to.flush();
        }
    }

    /** Nothing is left to be done: all are woken before anything else ends. */
    private static void wake() {}

    private void startBrokerAgain() {
        if (!broker.process().alive()) {
            broker.process().restart();
        }
    }

    private static void startAgain(JavaProcess analyzer) {
        if (!analyzer.alive()) {
            analyzer.restart();
        }
    }

    /** Ends all faults that go on. */
    void heal(Map<String, JavaProcess> analyzers) {
        analyzers.values().stream().filter(JavaProcess::alive).forEach(JavaProcess::resume);
        if (broker.process().alive()) {
            broker.process().resume();
        }
        ends.forEach(Runnable::run);
        ends.clear();
        around.history.add(Entry.Kind.FAULT, "all", "healed");
        look(analyzers);
    }

    /** What a supervisor does. */
    void look(Map<String, JavaProcess> analyzers) {
        for (JavaProcess analyzer : analyzers.values()) {
            if (!analyzer.alive() && ends.isEmpty()) {
                analyzer.restart();
                restarts++;
            }
        }
    }

    /** How often an analyzer that had ended of its own accord was started again. */
    int ends() {
        return restarts;
    }

    /** What was done, how often. */
    String faults() {
        return done.entrySet().stream()
                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }
}

package io.sluice.demo;

import io.sluice.demo.stage.Gateway;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.stage.Stage;
import io.sluice.demo.stage.StageFailure;
import io.sluice.demo.story.Delays;
import io.sluice.demo.story.Latency;
import io.sluice.demo.story.Outcome;
import io.sluice.demo.story.Reaction;
import io.sluice.demo.traffic.Caller;
import io.sluice.demo.traffic.Latencies;
import io.sluice.demo.traffic.Ledger;
import io.sluice.demo.traffic.Rates;
import io.sluice.demo.traffic.Traffic;
import io.sluice.demo.view.Scene;
import io.sluice.demo.view.Screen;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One run of the demo: starts everything, lets the traffic run, shows it, and returns the outcome. */
final class Demo {
    private static final long REFRESH_MILLIS = 250;
    /** The first answers are slow because the code is cold, not because of a neighbour. */
    private static final long WARM_UP_MILLIS = 4000;
    /** At the edges of what is measured: requests that waited for others. */
    private static final long SETTLE_MILLIS = 500;

    private static final double MOST = 0.9;

    private final Script script;
    private final Screen screen;
    private final CountDownLatch stop;
    private final String policies;
    private final NoisyCaller noisy;
    private final Ledger ledger = new Ledger();
    private final Latencies latencies = new Latencies(caller -> !caller.equals(Caller.NOISY));
    private long begin;
    private long beginNanos;

    /** @param stop counted down to end early, with the story so far */
    Demo(Script script, Screen screen, CountDownLatch stop) {
        this(script, screen, stop, Stage.policies());
    }

    /** With policies of its own, YAML. */
    Demo(Script script, Screen screen, CountDownLatch stop, String policies) {
        this.script = script;
        this.screen = screen;
        this.stop = stop;
        this.policies = policies;
        noisy = new NoisyCaller(script);
    }

    /**
     * Plays it.
     *
     * @param port of the first gateway, 0 for free ones
     * @return what happened; empty when it was ended before it began
     */
    Optional<Outcome> play(int port) throws StageFailure, InterruptedException {
        screen.say("Starting, in this process alone, on 127.0.0.1 and with temporary data:");
        try (Stage stage = Stage.open(port, policies, part -> screen.say("  " + part))) {
            if (stop.getCount() == 0) {
                return Optional.empty();
            }
            List<URI> uris = stage.gateways().stream().map(Gateway::uri).toList();
            screen.say("Gateways: "
                    + String.join("  ", uris.stream().map(URI::toString).toList()));
            screen.say("Dashboard: " + stage.dashboard() + "  shows it in a browser, for as long as the demo runs");
            screen.say("");
            screen.say("Warming up for " + WARM_UP_MILLIS / 1000 + " s, so that nothing is slow for being new.");
            if (warmUp(uris)) {
                return Optional.empty();
            }
            screen.say("");
            begin = System.currentTimeMillis();
            beginNanos = System.nanoTime();
            Traffic traffic = Traffic.start(uris, Caller.withNoisy(noisy), ledger.and(latencies));
            try {
                watch(stage, uris);
            } finally {
                traffic.close();
            }
            screen.close();
            return Optional.of(outcome(stage));
        }
    }

    /** Calls as often as the noisiest part of the run does; true when it was stopped. */
    private boolean warmUp(List<URI> uris) throws InterruptedException {
        try (Traffic traffic = Traffic.start(uris, Caller.hurried(), (caller, status, sent, micros) -> {})) {
            assert traffic != null;
            return stop.await(WARM_UP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void watch(Stage stage, List<URI> uris) throws InterruptedException {
        Rates rates = new Rates();
        do {
            long elapsed = elapsed();
            List<Reaction> reactions = reactions(stage);
            noisy.look(elapsed, lockedOut(stage, reactions));
            stage.act(Act.of(elapsed, script, noisy.backedOff(), reactions.size() == uris.size()));
            screen.show(new Scene(
                    elapsed,
                    Math.max(script.end(), Math.min(elapsed, noisy.end())),
                    System.currentTimeMillis(),
                    noisy.act(elapsed),
                    uris,
                    rates.at(elapsed, ledger.tallies()),
                    stage.locks().locks(),
                    reactions));
        } while (!stop.await(REFRESH_MILLIS, TimeUnit.MILLISECONDS) && elapsed() < noisy.end());
    }

    /** When the last gate closed, in the run's time; {@link Long#MAX_VALUE} while one is open. */
    private long lockedOut(Stage stage, List<Reaction> reactions) {
        return reactions.size() < stage.gateways().size()
                ? Long.MAX_VALUE
                : reactions.stream().mapToLong(Reaction::lockedAt).max().orElseThrow() - begin;
    }

    private long elapsed() {
        return (System.nanoTime() - beginNanos) / 1_000_000;
    }

    /** What the gateways did about the noisy caller's first lock. */
    private static List<Reaction> reactions(Stage stage) {
        Optional<SeenLock> first = stage.locks().locks().stream()
                .filter(lock -> lock.caller().equals(Caller.NOISY))
                .findFirst();
        return first.isEmpty()
                ? List.of()
                : stage.gateways().stream()
                        .flatMap(gateway -> gateway
                                .rejectedSince(Caller.NOISY, first.get().crossed())
                                .stream()
                                .mapToObj(at -> Reaction.to(
                                        first.get().crossed(), gateway.agent().id(), at)))
                        .toList();
    }

    private Outcome outcome(Stage stage) {
        List<Reaction> reactions = reactions(stage);
        return new Outcome(
                Caller.NOISY,
                Caller.neighbours().size(),
                begin,
                begin + script.noise(),
                noisy.backedOff() == Long.MAX_VALUE ? 0 : begin + noisy.backedOff(),
                ledger.of(Caller.NOISY),
                ledger.others(Caller.NOISY),
                stage.gateways().stream().map(gateway -> gateway.agent().id()).toList(),
                stage.locks().locks(),
                reactions,
                delays(reactions));
    }

    private Delays delays(List<Reaction> reactions) {
        if (reactions.isEmpty()) {
            return Delays.UNKNOWN;
        }
        long noise = begin + script.noise();
        long closed = reactions.stream().mapToLong(Reaction::lockedAt).max().orElseThrow();
        return new Delays(
                latency(begin + SETTLE_MILLIS, noise),
                latency(noise, closed),
                latency(closed + SETTLE_MILLIS, Long.MAX_VALUE));
    }

    private Latency latency(long from, long to) {
        return new Latency(latencies.count(from, to), latencies.percentile(MOST, from, to));
    }
}

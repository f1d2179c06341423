package io.sluice.demo.story;

import io.sluice.demo.stage.Locks;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.traffic.Tally;
import java.util.List;

/** Outcomes for tests. */
final class Outcomes {
    private Outcomes() {}

    static final SeenLock LOCK = new SeenLock(Locks.block("acme", 12_200, 27_200), 27_200, 21_000);

    static final Delays DELAYS = new Delays(new Latency(300, 7.5), new Latency(80, 61), new Latency(800, 8.2));

    /** All went well. */
    static Outcome good() {
        return of(List.of(LOCK), reactions("gateway-1", "gateway-2"), new Tally(1600, 0, 0, 0));
    }

    static Outcome of(List<SeenLock> locks, List<Reaction> reactions, Tally neighbours) {
        return of(locks, reactions, neighbours, 16_000, DELAYS);
    }

    static Outcome with(Delays delays) {
        return of(List.of(LOCK), reactions("gateway-1", "gateway-2"), new Tally(1600, 0, 0, 0), 16_000, delays);
    }

    private static Outcome of(
            List<SeenLock> locks, List<Reaction> reactions, Tally neighbours, long quietAgain, Delays delays) {
        return new Outcome(
                "acme",
                20,
                2000,
                11_000,
                quietAgain,
                new Tally(3000, 2400, 0, 0),
                neighbours,
                List.of("gateway-1", "gateway-2"),
                locks,
                reactions,
                delays);
    }

    static List<Reaction> reactions(String... agents) {
        return java.util.stream.IntStream.range(0, agents.length)
                .mapToObj(i -> Reaction.to(12_000, agents[i], 12_250 + 30L * i))
                .toList();
    }
}

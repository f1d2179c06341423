package io.sluice.demo.view;

import io.sluice.demo.stage.Locks;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.story.Reaction;
import io.sluice.demo.traffic.Rates;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Scenes for tests. */
final class Scenes {
    private Scenes() {}

    static Scene quiet() {
        return scene(1000, Map.of("amber", new Rates.Rate(4, 0)), List.of(), List.of());
    }

    static Scene locked() {
        return scene(
                12_000,
                Map.of("amber", new Rates.Rate(4, 0), "acme", new Rates.Rate(0, 498)),
                List.of(new SeenLock(Locks.block("acme", 11_000, 26_000), 26_000, 0)),
                List.of(Reaction.to(10_800, "gateway-1", 11_010), Reaction.to(10_800, "gateway-2", 11_020)));
    }

    static Scene released() {
        SeenLock lock = new SeenLock(Locks.block("acme", 11_000, 26_000), 26_000, 17_000);
        return scene(18_000, Map.of("amber", new Rates.Rate(4, 0)), List.of(lock), locked().reactions());
    }

    static Scene random(Random random) {
        Map<String, Rates.Rate> rates = new TreeMap<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            rates.put(
                    "caller-" + "x".repeat(random.nextInt(30)) + i,
                    new Rates.Rate(random.nextInt(1000), random.nextInt(9)));
        }
        Scene base = random.nextBoolean() ? locked() : released();
        return scene(random.nextInt(60_000), rates, base.locks(), base.reactions());
    }

    private static Scene scene(
            long now, Map<String, Rates.Rate> rates, List<SeenLock> locks, List<Reaction> reactions) {
        List<URI> gateways = List.of(URI.create("http://127.0.0.1:40001"), URI.create("http://127.0.0.1:40002"));
        return new Scene(now, 40_000, now, "acme is noisy", gateways, rates, locks, reactions);
    }
}

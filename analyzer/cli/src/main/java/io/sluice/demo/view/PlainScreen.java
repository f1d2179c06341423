package io.sluice.demo.view;

import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.story.Reaction;
import io.sluice.demo.traffic.Rates;
import java.io.PrintStream;
import java.util.Locale;

/** Prints the state every two seconds, and at once when a lock opens or ends: for files, pipes and simple terminals. */
final class PlainScreen implements Screen {
    private static final long EVERY_MILLIS = 2000;

    private final PrintStream out;
    private long next;
    private int locks;
    private int ended;
    private int reactions;

    PlainScreen(PrintStream out) {
        this.out = out;
    }

    @Override
    public void say(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public void show(Scene scene) {
        for (; locks < scene.locks().size(); locks++) {
            SeenLock lock = scene.locks().get(locks);
            say(at(scene) + lock.caller() + " is locked by " + lock.opened().policy());
        }
        for (; reactions < scene.reactions().size(); reactions++) {
            Reaction reaction = scene.reactions().get(reactions);
            say(at(scene) + reaction.agent() + " rejects it, " + reaction.millis() + " ms after it crossed the line");
        }
        int over = (int)
                scene.locks().stream().filter(lock -> !lock.holds(scene.now())).count();
        if (over > ended) {
            say(at(scene) + "the gate is open again");
        }
        ended = over;
        if (scene.elapsed() >= next) {
            next = scene.elapsed() + EVERY_MILLIS;
            say(at(scene) + rates(scene) + "  " + scene.act());
        }
    }

    private static String rates(Scene scene) {
        double admitted = 0;
        double rejected = 0;
        for (Rates.Rate rate : scene.rates().values()) {
            admitted += rate.admitted();
            rejected += rate.rejected();
        }
        return String.format(Locale.ROOT, "%4.0f requests/s pass, %4.0f/s are rejected", admitted, rejected);
    }

    private static String at(Scene scene) {
        return String.format(Locale.ROOT, "%5.1f s  ", scene.elapsed() / 1000.0);
    }

    @Override
    public void close() {
        out.println();
        out.flush();
    }
}

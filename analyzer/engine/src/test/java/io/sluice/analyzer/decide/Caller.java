package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestEvents;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * One caller, one agent that obeys the locks after a reaction time, one analyzer: a closed loop in steps of the analyzer's
 * look, with every request counted.
 */
final class Caller {
    static final long STEP = 250;
    static final String NAME = "acme";

    final Rig rig;
    long now = Rig.TIME;
    long admitted;
    long rejected;
    /** The most that passed from the step in which one lock was decided until the agent had heard of it. */
    long slipped;

    private final Random random;
    private final long reaction;
    private final Deque<GateLock> onTheWay = new ArrayDeque<>();
    private final Deque<Long> arrivals = new ArrayDeque<>();
    private int heard;
    private GateLock obeyed;
    private long obeyedUntil;
    private double permits;
    private long slipping;
    private double credit;

    Caller(PolicySet set, long reaction, long seed) {
        rig = Rig.with(set);
        this.reaction = reaction;
        random = new Random(seed);
    }

    /** Asks for so many requests a minute, evenly, for one step; a retrying caller sends again what was rejected. */
    int steady(double aMinute) {
        credit += aMinute * STEP / 60_000;
        int whole = (int) credit;
        credit -= whole;
        return whole;
    }

    /** As many as a Poisson process of this rate has in a step (Knuth's method). */
    int random(double aMinute) {
        double limit = Math.exp(-aMinute * STEP / 60_000);
        int count = -1;
        for (double product = 1; product > limit || count < 0; count++) {
            product *= random.nextDouble();
            if (product <= limit) {
                return count + 1;
            }
        }
        return count;
    }

    /** Sends so many requests, of which the agent admits some; returns how many it rejected. Then a step passes. */
    int step(int requests) {
        hear();
        long before = admitted;
        boolean wasLocked = locked();
        int turnedAway = 0;
        for (int i = 0; i < requests; i++) {
            if (passes()) {
                rig.meter.add(TestEvents.admitted(NAME, now));
                admitted++;
            } else {
                turnedAway++;
            }
        }
        if (turnedAway > 0) {
            rig.meter.add(TestEvents.rejected(NAME, now, turnedAway));
            rejected += turnedAway;
        }
        rig.passed(now);
        now += STEP;
        if (locked() && obeyed == null) {
            slipping = (wasLocked ? slipping : 0) + admitted - before;
            slipped = Math.max(slipped, slipping);
        }
        return turnedAway;
    }

    private void hear() {
        while (heard < rig.said.size()) {
            onTheWay.add(rig.said.get(heard++));
            arrivals.add(now - STEP + reaction);
        }
        while (!arrivals.isEmpty() && arrivals.getFirst() <= now) {
            obeyed = onTheWay.removeFirst();
            obeyedUntil = arrivals.removeFirst() - reaction + obeyed.ttlMillis();
        }
        if (obeyed != null && (obeyed.mode() == Mode.OPEN || now >= obeyedUntil)) {
            obeyed = null;
        }
        permits = obeyed == null ? 0 : Math.min(1, permits + obeyed.rate() * STEP / 1000);
    }

    private boolean passes() {
        if (obeyed == null || obeyed.shadow()) {
            return true;
        }
        return switch (obeyed.mode()) {
            case BLOCK -> false;
            case SHED -> random.nextDouble() >= obeyed.ratio();
            case THROTTLE -> {
                boolean permit = permits >= 1;
                permits -= permit ? 1 : 0;
                yield permit;
            }
            default -> true;
        };
    }

    boolean locked() {
        return rig.task.locks() > 0;
    }

    /** Whether the agent turns requests away at present. */
    boolean obeys() {
        return obeyed != null;
    }

    long opened() {
        return rig.counts.of(Count.OPENED);
    }
}

package io.sluice.neighbours;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers in front of one door: one asks as fast as a script would, three others now and then, and some thirty times at most. They come until the
 * noisy one is rejected, and a while longer, so that the {@link Told} contains the rejections.
 */
public final class Crowd {
    /** The caller with too many requests. */
    public static final String NOISY = "acme";

    private static final List<String> NEIGHBOURS = List.of("globex", "initech", "umbrella");
    private static final int OF_THE_NOISY = 20;
    /** Before the noisy one is rejected: far below {@link Neighbourhood#ABOVE}, however long that takes. */
    private static final int MOST_OF_A_NEIGHBOUR = 30;

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int ROUNDS_AFTERWARDS = 10;

    private Crowd() {}

    /** A way to ask: through a client of the door's own kind. */
    @FunctionalInterface
    public interface Door {
        /**
         * Asks once.
         *
         * @return whether it was let in; anything but a clear yes or no is to be thrown
         */
        boolean ask(String caller) throws Exception;
    }

    /** What the door told them. */
    public record Told(int noisyAllowed, int noisyRejected, int neighboursAllowed, int neighboursRejected) {}

    /**
     * Lets them ask.
     *
     * @param patience how long the noisy one may go on
     * @throws AssertionError when the noisy one was never rejected
     */
    public static Told ask(Door door, Duration patience) throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        int[] allowed = new int[2];
        int[] rejected = new int[2];
        int left = Integer.MAX_VALUE;
        for (int round = 0; left > 0; round++, left--) {
            for (int i = 0; i < OF_THE_NOISY; i++) {
                (door.ask(NOISY) ? allowed : rejected)[0]++;
            }
            if (rejected[0] > 0 || round < MOST_OF_A_NEIGHBOUR * NEIGHBOURS.size()) {
                (door.ask(NEIGHBOURS.get(round % NEIGHBOURS.size())) ? allowed : rejected)[1]++;
            }
            if (rejected[0] > 0) {
                left = Math.min(left, ROUNDS_AFTERWARDS);
            } else if (System.nanoTime() > end) {
                throw new AssertionError("after " + patience + " and " + allowed[0] + " requests " + NOISY
                        + " is still let in; its neighbours were rejected " + rejected[1] + " times");
            }
            // the pace is what makes a neighbour of them: all at once, every caller would be noisy
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return new Told(allowed[0], rejected[0], allowed[1], rejected[1]);
    }
}

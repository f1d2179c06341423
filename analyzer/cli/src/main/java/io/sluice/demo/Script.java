package io.sluice.demo;

/**
 * When what happens: quiet, then noise, then quiet again, long enough for the gate to open. Milliseconds since the traffic
 * began. {@code quietAgain} is the earliest time: {@link NoisyCaller} waits for the gates.
 */
record Script(long noise, long quietAgain, long end) {
    /** Below this, the gate can't be seen to open again. */
    static final int LEAST_SECONDS = 15;

    private static final double NOISE = 0.25;
    private static final double QUIET_AGAIN = 0.5;
    /** The policy's window, and time for the reader to see what happened. */
    private static final long LONGEST_QUIET_MILLIS = 20_000;

    /** The script of a run that lasts so long. */
    static Script of(int seconds) {
        if (seconds < LEAST_SECONDS) {
            throw new IllegalArgumentException("--seconds is " + seconds + ", allowed is " + LEAST_SECONDS
                    + " or more: the story takes that long");
        }
        long end = seconds * 1000L;
        long noise = Math.min((long) (end * NOISE), LONGEST_QUIET_MILLIS);
        return new Script(noise, Math.max(noise, Math.min((long) (end * QUIET_AGAIN), end - 1)), end);
    }
}

package io.sluice.faults.history;

/**
 * One time for all processes of a test: this machine's monotonic clock, with the wall clock of the test's own process as its
 * origin. A stepped wall clock ({@code FakeTime}) does not move it. Brokers are never faked, so broker time is this time
 * within a few milliseconds. Thread-safe.
 */
public final class HarnessClock {
    private static final String PROPERTY = "sluice.faults.clock";
    private static final long MILLI = 1_000_000;
    private static final long ORIGIN = Long.getLong(PROPERTY, System.currentTimeMillis() - System.nanoTime() / MILLI);

    private HarnessClock() {}

    /** Epoch milliseconds. */
    public static long now() {
        return at(System.nanoTime());
    }

    /** The same for a moment that {@code System.nanoTime} told, in whichever process. */
    public static long at(long nanoTime) {
        return ORIGIN + nanoTime / MILLI;
    }

    /** What a child JVM has to be told. */
    public static String asOption() {
        return "-D" + PROPERTY + "=" + ORIGIN;
    }
}

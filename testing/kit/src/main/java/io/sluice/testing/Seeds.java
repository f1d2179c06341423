package io.sluice.testing;

/**
 * The number of cases that a seeded property test runs: few in the default build, all of them with {@code -Pfull}. Tests that use it carry the
 * tag {@value #TAG}, so that both builds run them.
 */
public final class Seeds {
    /** The JUnit tag of tests whose number of cases depends on the build. */
    public static final String TAG = "seeds";

    private static final boolean FULL = Boolean.getBoolean("sluice.full");

    private Seeds() {}

    /**
     * Returns the number of cases to run.
     *
     * @param few cases in the default build
     * @param all cases with {@code -Pfull}
     */
    public static int of(int few, int all) {
        return FULL ? all : Math.min(few, all);
    }
}

package io.sluice.benchmarks.measure;

/** How long to measure: {@code FULL} makes the figures of the docs, {@code QUICK} shows that everything can be measured. */
public enum Scale {
    QUICK,
    FULL;

    /** One of two values, by scale. */
    public <T> T choose(T quick, T full) {
        return this == QUICK ? quick : full;
    }
}

package io.sluice.benchmarks.reaction;

/** Sees gates close. */
interface Witness extends AutoCloseable {
    /** How many gates. */
    int GATES = 3;

    /** From now on looks out for it; comes before the event that crosses is sent. */
    void expect(Crossing crossing);

    @Override
    void close();
}

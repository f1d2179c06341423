package io.sluice.analyzer.window;

/** State of a subject or a group beyond its window. */
public interface History {

    /** Its state, as its codec reads it again. */
    byte[] encode();

    /** Estimated bytes of heap. */
    long bytes();
}

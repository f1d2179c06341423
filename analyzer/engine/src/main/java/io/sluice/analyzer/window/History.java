package io.sluice.analyzer.window;

/** What is remembered of a subject or a group beyond its window. */
public interface History {

    /** Its state, as its codec reads it again. */
    byte[] encode();

    /** What it takes of the heap, about, in bytes. */
    long bytes();
}

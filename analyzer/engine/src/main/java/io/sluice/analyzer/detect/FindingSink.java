package io.sluice.analyzer.detect;

/** Receives findings. */
@FunctionalInterface
public interface FindingSink {

    /** Returns whether the subject's case is settled: nothing more need be found out about it now. */
    boolean finding(Finding finding, long now);
}

/**
 * What the analyzer's benchmarks run on: an access log of any shape ({@link io.sluice.benchmarks.workload.EventLog}), a
 * broker in a process of its own, and our analyzer in a JVM of its own ({@link
 * io.sluice.benchmarks.workload.AnalyzerRun}).
 */
@NullMarked
package io.sluice.benchmarks.workload;

import org.jspecify.annotations.NullMarked;

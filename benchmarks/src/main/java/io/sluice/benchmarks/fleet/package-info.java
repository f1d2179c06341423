/** A fleet simulated with the analyzer's own classes, checked against real processes. Start at {@link io.sluice.benchmarks.fleet.FleetBenchmark}. */
@NullMarked
package io.sluice.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;

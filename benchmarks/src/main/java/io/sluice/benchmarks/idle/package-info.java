/** The cost of an analyzer that reads nothing. Start at {@link io.sluice.benchmarks.idle.IdleBenchmark}. */
@NullMarked
package io.sluice.benchmarks.idle;

import org.jspecify.annotations.NullMarked;

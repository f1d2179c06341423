/** The check on the request path, beside its floor and what users would pick instead. Start at {@link io.sluice.benchmarks.gate.GateBenchmark}. */
@NullMarked
package io.sluice.benchmarks.gate;

import org.jspecify.annotations.NullMarked;

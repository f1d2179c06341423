/** What a lock and a limiter take in memory. Start at {@link io.sluice.benchmarks.memory.MemoryBenchmark}. */
@NullMarked
package io.sluice.benchmarks.memory;

import org.jspecify.annotations.NullMarked;

/** Memory of a lock and of a limiter. Start at {@link io.sluice.benchmarks.memory.MemoryBenchmark}. */
@NullMarked
package io.sluice.benchmarks.memory;

import org.jspecify.annotations.NullMarked;

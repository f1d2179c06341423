/** How soon an agent and an analyzer are back. Start at {@link io.sluice.benchmarks.recovery.RecoveryBenchmark}. */
@NullMarked
package io.sluice.benchmarks.recovery;

import org.jspecify.annotations.NullMarked;

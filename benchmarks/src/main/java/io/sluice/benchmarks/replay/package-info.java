/** {@code ./sluice replay} against goaccess on the same access log. Start at {@link io.sluice.benchmarks.replay.ReplayBenchmark}. */
@NullMarked
package io.sluice.benchmarks.replay;

import org.jspecify.annotations.NullMarked;

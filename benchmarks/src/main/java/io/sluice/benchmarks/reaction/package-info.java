/** How long after a caller has crossed a threshold every gate is closed to it; {@link io.sluice.benchmarks.reaction.ReactionBenchmark} is the door. */
@org.jspecify.annotations.NullMarked
package io.sluice.benchmarks.reaction;

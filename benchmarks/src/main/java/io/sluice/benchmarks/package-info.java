/** Ours, the peers and the floor, measured in turns in one run on one machine and told as ratios. */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;

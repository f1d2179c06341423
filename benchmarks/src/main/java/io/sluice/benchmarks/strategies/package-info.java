/** Limits of the fleet: strategies with and without a central store, and Bucket4j's proxies. */
@NullMarked
package io.sluice.benchmarks.strategies;

import org.jspecify.annotations.NullMarked;

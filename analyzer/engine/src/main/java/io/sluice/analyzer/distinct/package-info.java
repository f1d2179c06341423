/**
 * How many different values were seen. Start at {@link io.sluice.analyzer.distinct.DistinctValues}, and at {@link
 * io.sluice.analyzer.distinct.DistinctUnion} for several of them together.
 */
@NullMarked
package io.sluice.analyzer.distinct;

import org.jspecify.annotations.NullMarked;

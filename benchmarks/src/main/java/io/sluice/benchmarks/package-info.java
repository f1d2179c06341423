/** The command behind {@code benchmarks/run}. */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;

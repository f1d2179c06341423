/** Cost of an event as windows, panes, callers, policies and partitions grow. */
@NullMarked
package io.sluice.benchmarks.growth;

import org.jspecify.annotations.NullMarked;

/**
 * Reference for detection: every event is kept, no panes, no partial sums. Start at
 * {@link io.sluice.analyzer.exact.ExactOracle}.
 */
@NullMarked
package io.sluice.analyzer.exact;

import org.jspecify.annotations.NullMarked;

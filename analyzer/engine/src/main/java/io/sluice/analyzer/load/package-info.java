/** The totals over all subjects of a group, the denominators of shares. Start at {@link io.sluice.analyzer.load.LoadTotals} and {@link io.sluice.analyzer.load.LoadBook}. */
@NullMarked
package io.sluice.analyzer.load;

import org.jspecify.annotations.NullMarked;

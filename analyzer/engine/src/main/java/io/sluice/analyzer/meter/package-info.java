/** Counts request events into partial sums, combined in memory before they travel. Start at {@link io.sluice.analyzer.meter.Meter}. */
@NullMarked
package io.sluice.analyzer.meter;

import org.jspecify.annotations.NullMarked;

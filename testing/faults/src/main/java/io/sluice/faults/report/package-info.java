/** What was measured last, for docs/reliability.md. Start at {@link io.sluice.faults.report.Reliability}. */
@NullMarked
package io.sluice.faults.report;

import org.jspecify.annotations.NullMarked;

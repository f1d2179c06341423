/** Partial sums on their way from meter to detect, and the loads they add up to. Start at {@link io.sluice.contract.usage.UsagePartial}. */
@NullMarked
package io.sluice.contract.usage;

import org.jspecify.annotations.NullMarked;

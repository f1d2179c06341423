/** Asks central stores for permits, and replaces them while they fail. Start at {@link io.sluice.agent.internal.quota.StrategyClient}. */
@NullMarked
package io.sluice.agent.internal.quota;

import org.jspecify.annotations.NullMarked;

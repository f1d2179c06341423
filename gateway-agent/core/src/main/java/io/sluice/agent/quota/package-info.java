/** Limits that are counted exactly over the fleet by a central store: {@link io.sluice.agent.quota.QuotaStrategy}. */
@NullMarked
package io.sluice.agent.quota;

import org.jspecify.annotations.NullMarked;

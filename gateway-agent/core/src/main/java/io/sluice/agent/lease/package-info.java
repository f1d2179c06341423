/** How long a lock holds and how far the lock table can be trusted, told by broker time alone. Start at {@link io.sluice.agent.lease.BrokerClocks}. */
@NullMarked
package io.sluice.agent.lease;

import org.jspecify.annotations.NullMarked;

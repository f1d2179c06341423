/** How long a lock holds and how far the lock table can be trusted, told by broker time alone. Start at {@link io.sluice.agent.internal.lease.BrokerClocks}. */
@NullMarked
package io.sluice.agent.internal.lease;

import org.jspecify.annotations.NullMarked;

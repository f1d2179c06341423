/** Expiry of locks and freshness of the lock table, by broker time alone. Start at {@link io.sluice.agent.internal.lease.BrokerClocks}. */
@NullMarked
package io.sluice.agent.internal.lease;

import org.jspecify.annotations.NullMarked;

/** Gate locks and the analyzer's heartbeat, as they stand on the gate-locks topic. Start at {@link io.sluice.contract.lock.GateLock}. */
@NullMarked
package io.sluice.contract.lock;

import org.jspecify.annotations.NullMarked;

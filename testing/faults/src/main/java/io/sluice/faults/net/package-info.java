/** Broken networks: start at {@link io.sluice.faults.net.FaultyBroker}, a broker whose clients can be cut off one by one. */
@NullMarked
package io.sluice.faults.net;

import org.jspecify.annotations.NullMarked;

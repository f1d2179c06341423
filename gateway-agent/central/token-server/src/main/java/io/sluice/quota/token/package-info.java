/** Limits of the fleet counted by token servers: the client's strategy, and the service that a sidecar offers. */
@NullMarked
package io.sluice.quota.token;

import org.jspecify.annotations.NullMarked;

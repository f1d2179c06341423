/** The gate in front of what a service calls: {@link io.sluice.agent.client.DependencyGate}. */
@NullMarked
package io.sluice.agent.client;

import org.jspecify.annotations.NullMarked;

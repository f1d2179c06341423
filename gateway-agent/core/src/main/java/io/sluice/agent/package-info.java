/** The gate inside a service. Start at {@link io.sluice.agent.GateAgent}. */
@NullMarked
package io.sluice.agent;

import org.jspecify.annotations.NullMarked;

/**
 * Meters of an agent for hosts with Micrometer, loaded only on use. Start at
 * {@link io.sluice.agent.metrics.GateMetrics}.
 */
@NullMarked
package io.sluice.agent.metrics;

import org.jspecify.annotations.NullMarked;

/**
 * What an agent measures, for a host that has Micrometer. Nothing outside this package knows of it, and nothing loads it unasked. Start at
 * {@link io.sluice.agent.metrics.GateMetrics}.
 */
@NullMarked
package io.sluice.agent.metrics;

import org.jspecify.annotations.NullMarked;

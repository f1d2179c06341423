/** The gates: locks, limits and their verdicts on a request. Knows no Kafka. Start at {@link io.sluice.agent.internal.gate.Gatekeeper}. */
@NullMarked
package io.sluice.agent.internal.gate;

import org.jspecify.annotations.NullMarked;

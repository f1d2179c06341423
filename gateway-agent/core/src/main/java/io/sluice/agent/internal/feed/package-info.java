/** Kafka connections of the gates, on the agent's own threads. Start at {@link io.sluice.agent.internal.feed.DecisionReader}. */
@NullMarked
package io.sluice.agent.internal.feed;

import org.jspecify.annotations.NullMarked;

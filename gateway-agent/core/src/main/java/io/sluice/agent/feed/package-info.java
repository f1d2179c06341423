/** What connects the gates to Kafka, on the agent's own threads. Start at {@link io.sluice.agent.feed.Feed}. */
@NullMarked
package io.sluice.agent.feed;

import org.jspecify.annotations.NullMarked;

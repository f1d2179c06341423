/** The topics, and the one class that follows a compacted topic. The only package of the contract that knows Kafka. */
@NullMarked
package io.sluice.contract.topic;

import org.jspecify.annotations.NullMarked;

/**
 * The analyzer's HTTP API: what stands on the topics, as JSON, for programs that don't speak Kafka. It only reads. {@code Api} is the way in.
 */
@NullMarked
package io.sluice.analyzer.api;

import org.jspecify.annotations.NullMarked;

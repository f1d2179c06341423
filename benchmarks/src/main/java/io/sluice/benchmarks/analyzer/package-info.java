/** Cost of an event in the analyzer, beside what a bare consumer and what Kafka Streams' own windows cost. */
@NullMarked
package io.sluice.benchmarks.analyzer;

import org.jspecify.annotations.NullMarked;

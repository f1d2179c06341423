/**
 * The Kafka Streams topology: processors that carry records to and from the plain rules. Read {@link
 * io.sluice.analyzer.topology.AnalyzerTopology} first.
 */
@NullMarked
package io.sluice.analyzer.topology;

import org.jspecify.annotations.NullMarked;

/** The metrics of an analyzer for Prometheus. Start at {@link io.sluice.analyzer.metrics.AnalyzerMetrics}. */
@NullMarked
package io.sluice.analyzer.metrics;

import org.jspecify.annotations.NullMarked;

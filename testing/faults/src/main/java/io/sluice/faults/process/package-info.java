/** Analyzers and agents as processes: start at {@link io.sluice.faults.process.JavaProcess}, {@link io.sluice.faults.process.AnalyzerProcess} and
 * {@link io.sluice.faults.process.AgentProcess}. */
@NullMarked
package io.sluice.faults.process;

import org.jspecify.annotations.NullMarked;

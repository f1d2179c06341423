/**
 * Starts, watches and stops the analyzer. {@link io.sluice.analyzer.run.Analyzer} is one in this process, {@link
 * io.sluice.analyzer.main.AnalyzerMain} is what the command line calls.
 */
@NullMarked
package io.sluice.analyzer.run;

import org.jspecify.annotations.NullMarked;

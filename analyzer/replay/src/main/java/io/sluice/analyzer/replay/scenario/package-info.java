/**
 * Scenarios: folders with policies, the events of a small story, and the locks that it must lead to. Start at
 * {@link io.sluice.analyzer.replay.scenario.ScenarioRun}.
 */
@NullMarked
package io.sluice.analyzer.replay.scenario;

import org.jspecify.annotations.NullMarked;

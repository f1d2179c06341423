/**
 * The stories of {@code examples/scenarios} and what holds them. The events are made here and never edited by hand:
 * {@code ./mvnw -pl analyzer -am test -Dtest=ScenarioFilesTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dsluice.scenarios=write} writes them anew.
 */
package io.sluice.analyzer.replay.scenario;

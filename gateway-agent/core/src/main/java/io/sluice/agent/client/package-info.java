/**
 * The calling side: {@link io.sluice.agent.client.PatientHttpClient} comes again when it was told to and not before,
 * {@link io.sluice.agent.client.DependencyGate} limits the calls to what a service depends on.
 */
@NullMarked
package io.sluice.agent.client;

import org.jspecify.annotations.NullMarked;

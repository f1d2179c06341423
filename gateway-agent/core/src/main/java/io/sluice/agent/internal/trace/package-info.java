/**
 * Adds a rejection to a request's own trace, for a host that has OpenTelemetry. Nothing outside this package knows of it, and
 * without it nothing happens. Start at {@link io.sluice.agent.internal.trace.RejectionTrace}.
 */
@NullMarked
package io.sluice.agent.internal.trace;

import org.jspecify.annotations.NullMarked;

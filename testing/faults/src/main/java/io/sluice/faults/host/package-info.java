/** The host service that an agent process runs: traffic through the agent, and what the agent is asked about it. Start at
 * {@link io.sluice.faults.host.HostMain}. */
@NullMarked
package io.sluice.faults.host;

import org.jspecify.annotations.NullMarked;

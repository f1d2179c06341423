/** The gate as an HTTP filter. Start at {@link io.sluice.agent.http.GateServletFilter} or {@link io.sluice.agent.http.GateHttpFilter}. */
@NullMarked
package io.sluice.agent.http;

import org.jspecify.annotations.NullMarked;

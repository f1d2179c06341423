/** Local limiters: exact, without locks. Start at {@link io.sluice.agent.limit.Limiter}. */
@NullMarked
package io.sluice.agent.limit;

import org.jspecify.annotations.NullMarked;

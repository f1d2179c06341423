/** Local limiters: exact, without locks. Start at {@link io.sluice.agent.internal.limit.Limiter}. */
@NullMarked
package io.sluice.agent.internal.limit;

import org.jspecify.annotations.NullMarked;

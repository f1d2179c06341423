/** Local limiters: exact, without locks. Start at {@link io.sluice.agent.limit.TokenBucket}. */
@NullMarked
package io.sluice.agent.limit;

import org.jspecify.annotations.NullMarked;

/** The access log on its way out: a bounded queue and one entry for many rejections. Start at {@link io.sluice.agent.internal.log.LogQueue}. */
@NullMarked
package io.sluice.agent.internal.log;

import org.jspecify.annotations.NullMarked;

/** The access log on its way out: a bounded queue and one entry for many rejections. Start at {@link io.sluice.agent.log.RequestLog}. */
@NullMarked
package io.sluice.agent.log;

import org.jspecify.annotations.NullMarked;

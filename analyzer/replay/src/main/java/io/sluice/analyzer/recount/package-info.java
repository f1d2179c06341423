/**
 * Recounts a lock's evidence from the request log by the exact method. Start at
 * {@link io.sluice.analyzer.recount.Recount}.
 */
@NullMarked
package io.sluice.analyzer.recount;

import org.jspecify.annotations.NullMarked;

/**
 * Counts again, from the request log and by the exact method, what a lock's evidence says. Start at
 * {@link io.sluice.analyzer.recount.Recount}.
 */
@NullMarked
package io.sluice.analyzer.recount;

import org.jspecify.annotations.NullMarked;

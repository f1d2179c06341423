/** What happened, and what may have happened: a recorded history, the oracle over it and its invariants. Start at
 * {@link io.sluice.faults.history.History}. */
@NullMarked
package io.sluice.faults.history;

import org.jspecify.annotations.NullMarked;

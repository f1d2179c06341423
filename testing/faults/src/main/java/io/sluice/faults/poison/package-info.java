/** Malformed records: start at {@link io.sluice.faults.poison.Corpus}. */
@NullMarked
package io.sluice.faults.poison;

import org.jspecify.annotations.NullMarked;

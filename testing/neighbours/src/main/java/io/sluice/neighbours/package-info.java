/** A broker, an analyzer and callers of whom one is noisy. */
@NullMarked
package io.sluice.neighbours;

import org.jspecify.annotations.NullMarked;

/** Decides from a window whether a subject is over. Start at {@link io.sluice.analyzer.detect.Detection}. */
@NullMarked
package io.sluice.analyzer.detect;

import org.jspecify.annotations.NullMarked;

/** Entry points of {@code ./sluice} and the image: {@link io.sluice.launcher.Sluice} adds the sidecar and the demo to the analyzer's commands. */
@NullMarked
package io.sluice.launcher;

import org.jspecify.annotations.NullMarked;

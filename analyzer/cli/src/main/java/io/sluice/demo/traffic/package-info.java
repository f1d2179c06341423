/** Callers and their requests over real HTTP. Start at {@link io.sluice.demo.traffic.Traffic}. */
@NullMarked
package io.sluice.demo.traffic;

import org.jspecify.annotations.NullMarked;

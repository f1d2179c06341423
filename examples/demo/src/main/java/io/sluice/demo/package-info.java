/** The demo, and the entry point of the launcher: {@link io.sluice.demo.Sluice}. */
@NullMarked
package io.sluice.demo;

import org.jspecify.annotations.NullMarked;

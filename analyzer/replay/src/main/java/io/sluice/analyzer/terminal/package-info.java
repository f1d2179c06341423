/** Output to people at a terminal. */
@NullMarked
package io.sluice.analyzer.terminal;

import org.jspecify.annotations.NullMarked;

/** Output to people at a terminal, and to programs as JSON. */
@NullMarked
package io.sluice.analyzer.output;

import org.jspecify.annotations.NullMarked;

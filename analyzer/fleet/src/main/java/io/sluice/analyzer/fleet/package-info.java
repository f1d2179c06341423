/** The only reader of the control topics: what holds now, which agents live, which policies are in force, and what was decided. */
@NullMarked
package io.sluice.analyzer.fleet;

import org.jspecify.annotations.NullMarked;

/** Sets of values. */
@NullMarked
package io.sluice.analyzer.distinct;

import org.jspecify.annotations.NullMarked;

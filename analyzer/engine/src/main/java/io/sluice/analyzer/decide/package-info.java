/** The life cycle of gate locks. Start at {@link io.sluice.analyzer.decide.UsageTask}. */
@NullMarked
package io.sluice.analyzer.decide;

import org.jspecify.annotations.NullMarked;

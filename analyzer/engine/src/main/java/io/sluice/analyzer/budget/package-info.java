/** The one budget of heap that the state of all tasks draws on. Start at {@link io.sluice.analyzer.budget.HeapBudget}. */
@NullMarked
package io.sluice.analyzer.budget;

import org.jspecify.annotations.NullMarked;

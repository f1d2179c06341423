/** Past of subjects beyond one window: baselines and debts. Plain arithmetic over the times of events. */
@NullMarked
package io.sluice.analyzer.history;

import org.jspecify.annotations.NullMarked;

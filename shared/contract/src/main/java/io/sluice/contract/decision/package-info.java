/** The decision log: every transition of a lock and every operator's action. Start at {@link io.sluice.contract.decision.DecisionRecord}. */
@NullMarked
package io.sluice.contract.decision;

import org.jspecify.annotations.NullMarked;

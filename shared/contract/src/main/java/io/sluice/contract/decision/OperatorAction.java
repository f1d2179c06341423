package io.sluice.contract.decision;

import io.sluice.contract.operator.OperatorRecord;

/**
 * An operator's lock, release or use of the kill switch, with its author and reason.
 *
 * @param record as it stands on the operator topic
 */
public record OperatorAction(OperatorRecord record) implements DecisionRecord {}

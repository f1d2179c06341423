/** Operators' records: locks, releases and the kill switch. Start at {@link io.sluice.contract.operator.OperatorRecord}. */
@NullMarked
package io.sluice.contract.operator;

import org.jspecify.annotations.NullMarked;

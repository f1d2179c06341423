package io.sluice.contract.decision;

/** A record of the decision log, which is appended to and never changed: history and audit trail. */
public sealed interface DecisionRecord permits LockTransition, OperatorAction, PolicySetChange {}

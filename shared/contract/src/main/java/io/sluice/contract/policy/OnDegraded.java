package io.sluice.contract.policy;

/** Behaviour of an agent for a policy while its lock table is cold or stale. */
public enum OnDegraded {
    /** Locks run to the end of their lease, local limits stay exact. */
    LOCAL,
    /** Allows everything. */
    ALLOW,
    /** Rejects everything. */
    DENY
}

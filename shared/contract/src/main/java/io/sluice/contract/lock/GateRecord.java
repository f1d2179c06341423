package io.sluice.contract.lock;

/** What stands on the gate-locks topic. */
public sealed interface GateRecord permits GateLock, AnalyzerHeartbeat {

    /** Who wrote it, and in which order. */
    Version version();
}

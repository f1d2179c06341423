package io.sluice.contract.lock;

/** A record of the gate-locks topic. */
public sealed interface GateRecord permits GateLock, AnalyzerHeartbeat {

    /** The writer and the order. */
    Version version();
}

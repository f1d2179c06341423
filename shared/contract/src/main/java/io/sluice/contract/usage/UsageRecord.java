package io.sluice.contract.usage;

/** A record of the usage topic. */
public sealed interface UsageRecord permits UsagePartial, MeterPosition {

    Origin origin();

    /** Grows with each record of one origin. */
    long seq();
}

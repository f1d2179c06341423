package io.sluice.contract.usage;

/** What stands on the usage topic. */
public sealed interface UsageRecord permits UsagePartial, MeterPosition {

    Origin origin();

    /** Grows with each record of one origin. */
    long seq();
}

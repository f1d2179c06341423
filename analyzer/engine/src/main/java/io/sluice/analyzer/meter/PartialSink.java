package io.sluice.analyzer.meter;

import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;

/** Where partial sums go. */
@FunctionalInterface
public interface PartialSink {
    void partial(UsageKey key, UsagePartial partial);
}

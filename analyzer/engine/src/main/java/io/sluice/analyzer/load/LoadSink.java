package io.sluice.analyzer.load;

import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;

/** Where loads are published. */
public interface LoadSink {
    void load(UsageKey group, Load load);

    /** Nothing happened in the group for longer than its window: its last load may be forgotten. */
    void gone(UsageKey group);
}

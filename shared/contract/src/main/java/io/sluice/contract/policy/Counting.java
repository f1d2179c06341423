package io.sluice.contract.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counting part of a policy, for the checks of its rules; {@code null} for what could not be read, so that one mistake is not
 * reported twice.
 */
record Counting(
        @Nullable Match match,
        @Nullable List<Attribute> per,
        @Nullable Measure measure,
        @Nullable Long windowMillis) {}

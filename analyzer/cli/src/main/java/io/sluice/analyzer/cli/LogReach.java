package io.sluice.analyzer.cli;

import io.sluice.contract.topic.OffsetRange;
import java.util.List;

/** Checks that the request log still reaches back to a moment: where its first records are gone, some that matter may be among them. */
final class LogReach {
    private LogReach() {}

    /**
     * Returns a warning for a log that may not reach back far enough; empty when it does.
     *
     * @param ranges what was appended since the moment
     * @param needed that moment, epoch milliseconds
     */
    static String gap(List<OffsetRange> ranges, long needed) {
        long oldest = ranges.stream()
                .filter(range -> range.isCut(needed))
                .mapToLong(OffsetRange::timestamp)
                .max()
                .orElse(-1);
        if (oldest >= 0) {
            return "the request log reaches back to " + Spans.time(oldest) + " only, it would have to reach back to "
                    + Spans.time(needed) + ": can't be recounted";
        }
        return ranges.stream().anyMatch(range -> range.oldest() > 0 && range.oldest() == range.end())
                ? "nothing is left of the request log: can't be recounted"
                : "";
    }
}

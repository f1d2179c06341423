package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import java.util.Comparator;
import java.util.List;

/** Over when every part is; the part that is nearest to not being so speaks for all. */
record ExactAll(List<ExactDetector> parts) implements ExactDetector {
    @Override
    public void add(Counted event) {
        parts.forEach(part -> part.add(event));
    }

    @Override
    public Reading ask(SlidingLog own, long time) {
        List<Reading> readings = parts.stream().map(part -> part.ask(own, time)).toList();
        boolean over = readings.stream().allMatch(Reading::over);
        Reading binding = readings.stream()
                .min(Comparator.comparingDouble(Reading::ratio))
                .orElseThrow();
        return new Reading(
                binding.detector(), binding.observed(), binding.threshold(), binding.sum(), binding.load(), over);
    }
}

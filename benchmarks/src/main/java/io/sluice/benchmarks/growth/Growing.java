package io.sluice.benchmarks.growth;

import io.sluice.benchmarks.measure.Series;
import java.util.List;

/** How a cost grows along an axis. */
final class Growing {
    private Growing() {}

    /** The dearest point over the cheapest, by medians: whichever ends of the axis they are. */
    static double dearestOverCheapest(List<Series> points) {
        double cheapest = points.stream().mapToDouble(Series::median).min().orElseThrow();
        double dearest = points.stream().mapToDouble(Series::median).max().orElseThrow();
        return dearest / cheapest;
    }

    /**
     * What each further policy adds, as a part of what an event costs with one: of each round, then the median.
     *
     * @param more the cost with {@code policies} policies
     */
    static double eachFurther(Series one, Series more, int policies) {
        return (more.over(one) - 1) / (policies - 1);
    }
}

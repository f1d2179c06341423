package io.sluice.demo.traffic;

/** How much a caller wants. */
@FunctionalInterface
public interface Demand {

    /**
     * @param elapsedMillis since the traffic began
     * @return requests a second, 0 or more
     */
    double perSecond(long elapsedMillis);

    /** Always the same. */
    static Demand steady(double perSecond) {
        return elapsed -> perSecond;
    }

    /** Much from one moment to another, little before and after. */
    static Demand between(long fromMillis, long toMillis, double much, double little) {
        return elapsed -> elapsed >= fromMillis && elapsed < toMillis ? much : little;
    }

    /** Little, then much, and so on for ever. */
    static Demand comingAndGoing(long littleMillis, long muchMillis, double much, double little) {
        long period = littleMillis + muchMillis;
        return elapsed -> elapsed % period < littleMillis ? little : much;
    }
}

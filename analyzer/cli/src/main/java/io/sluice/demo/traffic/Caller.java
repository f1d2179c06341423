package io.sluice.demo.traffic;

import java.util.ArrayList;
import java.util.List;

/**
 * A caller of the service.
 *
 * @param name what stands in its {@code X-Api-Key}
 */
public record Caller(String name, Demand demand) {

    /** The one that turns noisy. */
    public static final String NOISY = "acme";

    /** Rate of the noisy caller while it is noisy, in requests a second. */
    public static final double MUCH = 600;

    /** Its rate otherwise. */
    public static final double LITTLE = 4;

    private static final double HURRIED = 20;

    private static final List<String> NEIGHBOURS = List.of(
            "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty", "kelp", "lotus",
            "maple", "north", "ocean", "plume", "quartz", "ridge", "slate", "tidal");

    /** The same caller with a multiple of its demand. */
    public Caller times(double factor) {
        return new Caller(name, elapsed -> factor * demand.perSecond(elapsed));
    }

    /** Twenty well-behaved callers, 2 to 6 requests a second each, 80 together. */
    public static List<Caller> neighbours() {
        List<Caller> callers = new ArrayList<>();
        for (String name : NEIGHBOURS) {
            callers.add(new Caller(name, Demand.steady(2 + callers.size() % 5)));
        }
        return callers;
    }

    /** The neighbours in a hurry, for a warm-up: together as many requests as the service can answer, none of them too much. */
    public static List<Caller> hurried() {
        return NEIGHBOURS.stream()
                .map(name -> new Caller(name, Demand.steady(HURRIED)))
                .toList();
    }

    /** All of them: the neighbours and the noisy one. */
    public static List<Caller> withNoisy(Demand noisy) {
        List<Caller> callers = neighbours();
        callers.add(new Caller(NOISY, noisy));
        return callers;
    }
}

package io.sluice.faults;

/** The policies of most rows, as YAML: their guard keeps out of the way, for few call and many of them are locked. */
final class UsualPolicies {
    private static final String GUARD = "guard: { subjects: 100%, atLeast: 1000 }\npolicies:\n";

    private UsualPolicies() {}

    /** Locks callers with more than twenty calls in a second. */
    static String busy() {
        return GUARD + busy("*");
    }

    /** The same, of those called {@code noisy…} alone. */
    static String busyNoisy() {
        return GUARD + busy("noisy*");
    }

    /** Locks callers named {@code counted-…} with more than so many calls in ten minutes: each call counts, and each that is lost. */
    static String counted(long limit) {
        return """
                %s  - name: counted
                    match: { caller: "counted-*" }
                    per: [caller]
                    window: 10m
                    lock: { when: [{ above: %d }], mode: block, for: 10m }
                """.formatted(GUARD, limit);
    }

    /** Both. */
    static String countedAndBusyNoisy(long limit) {
        return counted(limit) + busy("noisy*");
    }

    /** A policy that never locks, and holds nothing back of callers with one request: their baselines are state. */
    static String baselines(String callers) {
        return """
                  - name: baselines
                    match: { caller: "%s" }
                    per: [caller]
                    lock: { when: [{ spike: 1000, baseline: 1h, floor: 100000000 }], mode: shadow, for: 5m }
                """.formatted(callers);
    }

    private static String busy(String callers) {
        return """
                  - name: busy
                    match: { caller: "%s" }
                    per: [caller]
                    window: 1s
                    panes: 10
                    lock: { when: [{ above: 20 }], mode: block, for: 5m }
                """.formatted(callers);
    }
}

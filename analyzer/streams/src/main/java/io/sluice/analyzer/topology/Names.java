package io.sluice.analyzer.topology;

import io.sluice.analyzer.window.Retention;

/** The names of all nodes and stores. Changelog topics and state directories are named after them: they must not change. */
final class Names {
    static final String METER = "meter";
    static final String USAGE_OUT = "usage-out";
    static final String BAD_REQUESTS_OUT = "bad-requests-out";
    static final String METER_COMBINER = "meter-combiner";
    static final String METER_EPOCH = "meter-epoch";

    static final String POSITIONS_OUT = "positions-out";
    static final String USAGE_IN = "usage-in";
    static final String DECIDE = "decide";
    static final String GATE_LOCKS_OUT = "gate-locks-out";
    static final String DECISIONS_OUT = "decisions-out";
    static final String LOADS_OUT = "loads-out";
    static final String BAD_USAGE_OUT = "bad-usage-out";
    static final String DECIDE_COMBINER = "decide-combiner";
    static final String LEASES = "leases";

    private Names() {}

    /** The source that reads the n-th topic of access logs. */
    static String requestsIn(int n) {
        return "requests-in-" + n;
    }

    /** The store of the windows that are kept this long. */
    static String windows(Retention retention) {
        return switch (retention) {
            case SHORT -> "windows-short";
            case MEDIUM -> "windows-medium";
            case LONG -> "windows-long";
        };
    }
}

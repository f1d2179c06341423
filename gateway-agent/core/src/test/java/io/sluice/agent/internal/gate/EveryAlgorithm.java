package io.sluice.agent.internal.gate;

/** Every algorithm with a limit of two at once. */
enum EveryAlgorithm {
    TOKEN_BUCKET("'rate':'2/m','burst':2", 30_000, 60_000, true),
    SLIDING_LOG("'algorithm':'sliding-log','rate':'2/m'", 60_000, 60_000, false),
    // a slice is 6 s, and counts until it is wholly out
    SLIDING_WINDOW("'algorithm':'sliding-window','rate':'2/m'", 65_000, 65_000, false),
    FIXED_WINDOW("'algorithm':'fixed-window','rate':'2/m'", 59_000, 59_000, true),
    // the second of two waits for its turn
    LEAKY_BUCKET("'algorithm':'leaky-bucket','rate':'1/m','maxWait':'60s'", 60_000, 120_000, true),
    CONCURRENCY("'algorithm':'concurrency','max':2", 1000, 0, true);

    private final String limit;
    /** From 1 s after the epoch, when both were taken: how long the third is told to wait. */
    final long retryAfterMillis;
    /** And how long until nothing counts any more. */
    final long idleAfterMillis;

    final boolean givenBack;

    EveryAlgorithm(String limit, long retryAfterMillis, long idleAfterMillis, boolean givenBack) {
        this.limit = limit;
        this.retryAfterMillis = retryAfterMillis;
        this.idleAfterMillis = idleAfterMillis;
        this.givenBack = givenBack;
    }

    String limit() {
        return limit.replace('\'', '"');
    }

    String policy(String name) {
        return policy(name, "");
    }

    String policy(String name, String rest) {
        return ("{'name':'" + name + "','per':['caller'],'limit':{" + limit + rest + "}}").replace('\'', '"');
    }
}

package io.sluice.analyzer.ingest;

/** In what a log writes its service times. */
enum DurationUnit {
    SECONDS("a number of seconds such as 0.004"),
    MILLIS("a number of milliseconds such as 4"),
    NANOS("a whole number of nanoseconds such as 4000000");

    private final String expected;

    DurationUnit(String expected) {
        this.expected = expected;
    }

    /** Pattern of a well-formed field. */
    String expected() {
        return expected;
    }

    /** Microseconds, what is smaller dropped; 0 when there is no value, -1 when it is something else than a time. */
    long micros(Fields fields, int slot) {
        if (this == NANOS) {
            long nanos = fields.whole(slot);
            return nanos < 0 ? -1 : nanos / 1000;
        }
        long micros = fields.micros(slot);
        return this == SECONDS || micros < 0 ? micros : micros / 1000;
    }
}

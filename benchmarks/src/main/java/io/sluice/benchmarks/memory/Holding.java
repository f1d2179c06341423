package io.sluice.benchmarks.memory;

/** What a child fills its heap with. */
enum Holding {
    LOCKS("1M locks"),
    UUID_LOCKS("1M locks on UUIDs"),
    LOCK_RECORDS("1M locks in a map of records"),
    LIMITERS("1M limiters in use"),
    UUID_LIMITERS("1M limiters of UUIDs in use"),
    LIMITER_RECORDS("1M limiters in a map of records"),
    WINDOWS("1M windows in heap, a pane each"),
    WINDOWS_OF_TEN("1M windows in heap, ten panes each");

    private final String text;

    Holding(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}

package io.sluice.analyzer.replay;

/**
 * How messages name what the reader can change.
 *
 * @param format what sets a log's format
 * @param caller what sets the field of the caller
 * @param exact what adds the exact method
 */
record OptionNames(String format, String caller, String exact) {
    static final OptionNames COMMAND = new OptionNames("--format", "--caller", "--exact");

    /** Of the HTTP API, where a topic's fields are set by its source and the exact method is missing. */
    static final OptionNames API = new OptionNames(
            "the parameter format",
            "the parameter caller, or of a topic its source's caller,",
            "'./sluice replay --exact'");
}

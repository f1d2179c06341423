package io.sluice.analyzer.fleet;

/**
 * A record of a control topic.
 *
 * @param append the broker's time of it, epoch milliseconds
 */
public record Appended<R>(R record, long append) {}

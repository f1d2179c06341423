package io.sluice.contract.usage;

/**
 * How far a meter has read: everything appended to its partition up to {@code position} has left it before this record.
 * Written to every usage partition, so that the adder of a load knows how complete it is.
 *
 * @param position append time, epoch milliseconds
 */
public record MeterPosition(long position, Origin origin, long seq) implements UsageRecord {
    public MeterPosition {
        if (position < 0 || seq < 0) {
            throw new IllegalArgumentException("position and seq must be 0 or more");
        }
    }
}

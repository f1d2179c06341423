package io.sluice.contract.lock;

/**
 * The writer of a record and its order: records of a task are ordered by epoch, then by sequence number.
 *
 * @param task the decide task, such as {@code decide-3}
 * @param epoch grows with each life of the task
 * @param seq grows with each record of one life
 */
public record Version(String task, long epoch, long seq) {
    /** @throws IllegalArgumentException naming the field that is out of its range */
    public Version {
        if (task.isEmpty() || epoch < 0 || seq < 0) {
            throw new IllegalArgumentException("version needs a task, and epoch and seq of 0 or more");
        }
    }

    /** Returns whether this was written after {@code other} by the same task; false for records of different tasks. */
    public boolean after(Version other) {
        return task.equals(other.task) && (epoch > other.epoch || (epoch == other.epoch && seq > other.seq));
    }
}

package io.sluice.contract.usage;

/**
 * Which life of which meter task wrote a partial.
 *
 * @param task the requests partition the meter reads
 * @param epoch grows with each life of the task
 */
public record Origin(int task, long epoch) {
    public Origin {
        if (task < 0 || epoch < 0) {
            throw new IllegalArgumentException("task and epoch must be 0 or more");
        }
    }
}

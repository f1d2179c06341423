package io.sluice.contract.usage;

/**
 * Which life of which meter task wrote a partial.
 *
 * @param task the requests partition the meter reads, 0 to {@value #MOST_TASK}
 * @param epoch grows with each life of the task
 */
public record Origin(int task, long epoch) {
    /** Topics have fewer partitions; state is kept for each task, and a writer of the usage topic could invent any. */
    public static final int MOST_TASK = 65_535;

    /** @throws IllegalArgumentException when a number is out of its range */
    public Origin {
        if (task < 0 || task > MOST_TASK || epoch < 0) {
            throw new IllegalArgumentException("task must be 0 to " + MOST_TASK + ", and epoch 0 or more");
        }
    }
}

package io.sluice.demo.story;

/**
 * A gateway that acted on a lock.
 *
 * @param lockedAt when it first rejected the locked caller, epoch milliseconds
 * @param millis from the event that crossed the threshold until then, 0 or more
 */
public record Reaction(String agent, long lockedAt, long millis) {

    /** The reaction to an event. */
    public static Reaction to(long crossed, String agent, long lockedAt) {
        return new Reaction(agent, lockedAt, Math.max(0, lockedAt - crossed));
    }
}

package io.sluice.analyzer.replay.scenario;

/** Demand that is not what it used to be. Each story says how the times of its locks follow. */
final class DemandStories {
    /** When everything changes: by then 19 windows of ten seconds count, 0 to 18. */
    private static final long CHANGE = 200_000;

    private DemandStories() {}

    /**
     * The corner shop calls four times in ten seconds, always, so its baseline is 4; from 3:20 on it calls four times a
     * second. The window of ten panes holds 18 at 203.75 s, and 2 + 16 + 3 = 21 at 204.5 s: more than 5 × 4. The sleeper
     * goes from 1 to 12, twelve times as many and under the floor; the whale always makes 60; the newcomer has no past.
     */
    static EventLog smallSpike() {
        EventLog log = new EventLog(41);
        log.every(2_500, 80, 0, "corner-shop");
        log.every(250, 80, CHANGE, "corner-shop");
        log.every(10_000, 20, 100, "sleeper");
        log.every(800, 25, CHANGE + 100, "sleeper");
        log.every(167, 1_300, 0, "whale");
        log.every(333, 60, CHANGE, "newcomer");
        return log;
    }

    /**
     * The corner shop again, at other seconds: its spike passes 20 three seconds before it passes 30. At 207.25 s the ten
     * panes hold the one request of 199.5 s and 7·4 + 2 new ones. The whale makes 40 in ten seconds, always; the sleeper goes from 1 to
     * 25, 25 times as many, and not over 30.
     */
    static EventLog aboveAndSpike() {
        EventLog log = new EventLog(42);
        log.every(2_500, 80, 2_000, "corner-shop");
        log.every(250, 80, CHANGE, "corner-shop");
        log.every(10_000, 20, 100, "sleeper");
        log.every(400, 50, CHANGE + 100, "sleeper");
        log.every(250, 880, 0, "whale");
        return log;
    }
}

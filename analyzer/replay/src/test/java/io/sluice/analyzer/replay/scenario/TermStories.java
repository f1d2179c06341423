package io.sluice.analyzer.replay.scenario;

/** For how long a gate is closed, and for how many. Each story says how the times of its locks follow. */
final class TermStories {
    private TermStories() {}

    /**
     * Ten requests a second from 0:10 on. The debt drains by 1 a second, so request i (from 0) brings it to 1 + 0.9·i: 60.4
     * with i = 66, at 16.6 s. All is rejected and costs nothing, until 30.4 have drained, at 47 s. The next request i after
     * that brings it to 31 + 0.9·i: 60.7 with i = 33, at 50.3 s; paid at 50.3 + 30.7 = 81 s.
     */
    static EventLog debt() {
        EventLog log = new EventLog(51);
        log.every(100, 640, 10_000, "binge", (event, i) -> {
            long time = 10_000 + i * 100L;
            event.status(time <= 16_600 || (time >= 47_000 && time <= 50_300) ? 200 : 429);
        });
        log.every(1_000, 110, 0, "steady", (event, i) -> event.status(200));
        log.visitors(10, 10, 0, 110_000, (event, person) -> event.status(200));
        return log;
    }

    /**
     * repeat-offender calls each 0.7 s, 70 % of what is allowed: too little to prolong a lock and too much to end it early.
     * Three times it bursts on top of that, one each 100 ms from 20.05, 100.05 and 240.05 s on: with 13 others in the ten
     * panes and one that comes meanwhile, its 21st request comes 0.6 s later. The gate is closed for one minute, for two, and
     * for three, which is the cap. Then it is good for more than ten minutes, and its 21st request at 1040.05 + 2 s closes
     * the gate for one minute, as if it were the first time.
     */
    static EventLog escalate() {
        EventLog log = new EventLog(52);
        log.every(700, 615, 0, "repeat-offender");
        for (long burst : new long[] {20_050, 100_050, 240_050, 1_040_050}) {
            log.every(100, 30, burst, "repeat-offender");
        }
        log.visitors(20, 10, 0, 1_043_000, (event, person) -> {});
        return log;
    }

    /**
     * The search is asked four times a second, and ten times from 1:00 on. In the pane of second 70 the other 59 panes hold
     * 49·4 + 10·10 = 296, and the fifth request in it is the 301st, at 70.4 s (0.3 s after the exact
     * method, which leaves panes in parts). From then on every other one is rejected.
     */
    static EventLog shed() {
        EventLog log = new EventLog(53);
        log.every(250, 240, 0, "crowd", (event, i) -> event.service("search").status(200));
        log.every(
                100,
                600,
                60_000,
                "crowd",
                (event, i) -> event.service("search").status(i > 104 && i % 2 == 0 ? 429 : 200));
        log.every(1_000, 120, 0, "crowd", (event, i) -> event.service("orders").status(200));
        return log;
    }
}

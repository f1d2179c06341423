package io.sluice.analyzer.replay.scenario;

/** How locks open, last and end. Each story says how their times follow. */
final class LifeStories {
    private LifeStories() {}

    /**
     * Both make four requests a second. impatient's 101st is at 100·0.25 s = 25 s; it goes on until 299.75 s, rejected or
     * not, and its demand is under half of a hundred when only 12 of its seconds are left in the window: at 299 + 48 = 347
     * s. patient's 101st is at 30 s + 25 s = 55 s; it stops, and 49 of its requests are left at 102 s. Everything
     * happens at whole quarters of a second, and so does the analyzer's look at its locks.
     */
    static EventLog retryStorm() {
        EventLog log = new EventLog(21);
        log.every(250, 1_200, 0, "impatient", (event, i) -> event.status(i > 100 ? 429 : 200));
        log.every(2_000, 20, 360_000, "impatient", (event, i) -> event.status(200));
        log.every(250, 101, 30_000, "patient", (event, i) -> event.status(200));
        log.every(2_000, 150, 104_000, "patient", (event, i) -> event.status(200));
        for (int neighbour = 0; neighbour < 4; neighbour++) {
            log.every(5_000, 80, neighbour * 500L, "neighbour-" + neighbour, (event, i) -> event.status(200));
        }
        return log;
    }

    /**
     * A fixed window would see the double dipper's 60 requests before 0:01:00 and 60 after it; the sliding one sees the
     * 101st, at 60 s + 40·10 ms. The border walker's requests lie on both sides of a pane's border: 51 before 2:01, and
     * the 50th after it is the 101st, at 121 s + 49·10 ms. The metronome's hundred come again after exactly a minute: at no
     * time are there more than a hundred in one.
     */
    static EventLog burstAtBorder() {
        EventLog log = new EventLog(22);
        log.every(10, 60, 59_400, "double-dipper");
        log.every(10, 60, 60_000, "double-dipper");
        log.every(10, 51, 120_490, "border-walker");
        log.every(10, 60, 121_000, "border-walker");
        log.every(10, 100, 10_000, "metronome");
        log.every(10, 100, 70_000, "metronome");
        log.visitors(10, 10, 0, 150_000, (event, person) -> {});
        return log;
    }

    /**
     * For an hour: just-over each 2.85 s, its 21st request at 20·2.85 s = 57 s. see-saw turns each minute from 22 a
     * minute to 14, which is 70 % of the threshold, and back; its 21st is at 1 s + 20·2.727 s = 55.54 s. just-under each 3.1
     * s: never more than 20 in a minute.
     */
    static EventLog flappingDemand() {
        EventLog log = new EventLog(23);
        log.every(2_850, 1_263, 0, "just-over");
        log.every(3_100, 1_161, 500, "just-under");
        long time = 1_000;
        while (time < 3_600_000) {
            log.at(time, "see-saw");
            time += time / 60_000 % 2 == 0 ? 2_727 : 4_285;
        }
        log.visitors(10, 10, 0, 3_600_000, (event, person) -> {});
        return log;
    }

    /**
     * internet-cafe's 101st request, one each 250 ms from 1:00 on: 60 s + 25 s = 85 s. The load test may run until 5:00 and
     * does not stop: what it did before does not count, so its 101st is at 300 s + 25 s = 325 s.
     */
    static EventLog allowList() {
        EventLog log = new EventLog(24);
        log.every(250, 200, 60_000, "internet-cafe", (event, i) -> event.ip("203.0.113.20"));
        log.every(200, 300, 30_000, "internal-backup", (event, i) -> event.ip("203.0.113.21"));
        log.every(250, 480, 240_000, "load-test", (event, i) -> event.ip("10.1.2.3"));
        log.visitors(20, 20, 0, 360_000, (event, person) -> event.ip("198.18." + person + ".1"));
        return log;
    }

    /**
     * All send a request within the first second, so that 44 callers are active and a tenth of them, four, may be locked.
     * Then each makes five more requests, caller by caller, 100 ms apart: number n passes five at 10 s + n·0.6 s + 0.4 s,
     * with its sixth.
     */
    static EventLog guard() {
        EventLog log = new EventLog(25);
        for (int number = 0; number < 44; number++) {
            String caller = String.format("caller-%02d", number);
            log.at(number * 20L, caller);
            log.every(100, 5, 10_000 + number * 600L, caller);
        }
        return log;
    }
}

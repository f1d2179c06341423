package io.sluice.analyzer.replay.scenario;

/** Clocks that are wrong, and events that come late. Each story says how the times of its locks follow. */
final class ClockStories {
    private ClockStories() {}

    /**
     * Each makes 40 requests, one each 500 ms; the 21st is appended 10 s after the first, and a lock is at the event's time.
     * ahead-3s: appended at 20 s, 3 s ahead, 23 s. ahead-10s: appended at 40 s, too far ahead to be believed, 40 s.
     * behind-20s: appended at 60 s, 40 s. behind-40s is counted, but nothing opens on what is older than 30 s; behind-70s is
     * not even counted.
     */
    static EventLog clockSkew() {
        EventLog log = new EventLog(31);
        source(log, "ahead-3s", 10_000, 3_000);
        source(log, "ahead-10s", 30_000, 10_000);
        source(log, "behind-20s", 50_000, -20_000);
        source(log, "behind-40s", 70_000, -40_000);
        source(log, "behind-70s", 90_000, -70_000);
        for (int neighbour = 0; neighbour < 10; neighbour++) {
            for (int i = 0; i < 12; i++) {
                long time = i * 10_000L + neighbour * 700L;
                log.at(time, "neighbour-" + neighbour).appended(time);
            }
        }
        return log;
    }

    private static void source(EventLog log, String caller, long from, long ahead) {
        for (int i = 0; i < 40; i++) {
            long append = from + i * 500L;
            log.at(append + ahead, caller).appended(append);
        }
    }

    /**
     * yesterdays-log comes at 0:30, two hours late. online calls each 100 ms from 0:40 on: its 101st request at 40 s + 100
     * · 0.1 s = 50 s. offline could not send for a while: what it did from 1:00 to 1:15 comes at 1:50, more than 30 s later,
     * and opens nothing; it is still over when its first punctual event comes, at 112 s.
     */
    static EventLog lateUpload() {
        EventLog log = new EventLog(32);
        for (int i = 0; i < 600; i++) {
            log.at(-7_200_000 + i * 50L, "yesterdays-log").appended(30_000 + i);
        }
        for (int i = 0; i < 200; i++) {
            long time = 40_000 + i * 100L;
            log.at(time, "online").appended(time);
        }
        for (int i = 0; i < 150; i++) {
            log.at(60_000 + i * 100L, "offline").appended(110_000 + i * 10L);
        }
        for (int i = 0; i < 20; i++) {
            long time = 112_000 + i * 1_000L;
            log.at(time, "offline").appended(time);
        }
        for (int neighbour = 0; neighbour < 10; neighbour++) {
            for (int i = 0; i < 14; i++) {
                long time = i * 10_000L + neighbour * 700L;
                log.at(time, "neighbour-" + neighbour).appended(time);
            }
        }
        return log;
    }
}

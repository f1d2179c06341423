package io.sluice.analyzer.replay.scenario;

/** Callers that take more than a fair part, and callers that only seem to. Each story says how the times of its locks follow. */
final class CrowdStories {
    /** As a policy file counts them. */
    private static final long MEGABYTE = 1024 * 1024;

    private CrowdStories() {}

    /**
     * Two neighbours call once a second each, at .0 and .5, in 20 ms. Until 3:00 an office behind one address makes 60 % of
     * the requests and no other caller gets slower. From 4:00 on 203.0.113.50, until then a request each 10 s, makes three a
     * second, at .1, .4 and .7, and the neighbours need 80 ms. Its part of the last ten seconds is 13 of 33 at 243.7 s, and
     * 14 of 33 at 244.1 s: over 40 %. The neighbours' mean was over 1.5 × 20 ms from 241.5 s on.
     */
    static EventLog natGateway() {
        EventLog log = new EventLog(11);
        for (long second = 0; second < 270; second++) {
            long took = second < 240 ? 20 : 80;
            for (long neighbour = 0; neighbour < 2; neighbour++) {
                request(log, second * 1_000L + 500 * neighbour, "neighbour-" + neighbour, "198.18." + neighbour + ".1")
                        .millis(took);
            }
            for (long third = 0; third < 3; third++) {
                long time = second * 1_000L + 100 + 300 * third;
                if (second < 180) {
                    request(log, time, "clerk-" + (3 * second + third) % 25, "192.0.2.1")
                            .millis(20);
                } else if (second >= 240) {
                    request(log, time, "hog", "203.0.113.50").millis(20);
                }
            }
        }
        for (long time = 5_700; time < 240_000; time += 10_000) {
            request(log, time, "hog", "203.0.113.50").millis(20);
        }
        return log;
    }

    private static EventLog.Event request(EventLog log, long time, String caller, String ip) {
        return log.at(time, caller).service("shop").ip(ip);
    }

    /**
     * Ten neighbours call every 2 s and need 34 ms, a busy one three times a second with 10 ms: 200 ms in each second,
     * 12,000 in a minute. From 2:00 on the reports come, each 10 s at .9, and need 3 s: with the fourth they are at
     * 12,000 of 24,000 ms, half and not more; with the fifth at 15,000 of 27,000, at 120.9 s + 40 s.
     */
    static EventLog slowQueryHog() {
        EventLog log = new EventLog(12);
        for (int neighbour = 0; neighbour < 10; neighbour++) {
            log.every(
                    2_000,
                    105,
                    neighbour * 200L,
                    "neighbour-" + neighbour,
                    (event, i) -> event.service("orders").millis(34));
        }
        for (long third = 0; third < 3; third++) {
            log.every(
                    1_000,
                    210,
                    third * 250L,
                    "busy",
                    (event, i) -> event.service("orders").millis(10));
        }
        log.every(
                10_000,
                9,
                120_900,
                "reports",
                (event, i) -> event.service("orders").millis(3_000));
        return log;
    }

    /**
     * In the busy hour twenty neighbours make ten requests a second, and the stampede five of its own from 1:05 on: a
     * quarter of all, but the 201st in a minute at 65 s + 200·0.2 s = 105 s. In the quiet hour one neighbour calls each 3 s,
     * 20 a minute, and the night owl once a second, from 240.5 s on: with 41 of 61 requests the load passes 60, at 280.5 s.
     */
    static EventLog anyOf() {
        EventLog log = new EventLog(13);
        for (int neighbour = 0; neighbour < 20; neighbour++) {
            log.every(2_000, 60, neighbour * 100L, "neighbour-" + neighbour);
        }
        log.every(200, 240, 65_000, "stampede");
        log.every(3_000, 40, 200_000, "neighbour-0");
        log.every(1_000, 70, 240_500, "night-owl");
        return log;
    }

    /**
     * The mirror fetches ten megabytes each 5 s from 0:30 on: fifty with the fifth, which is not more than fifty, sixty with
     * the sixth, at 30 s + 5·5 s = 55 s.
     */
    static EventLog bytesHog() {
        EventLog log = new EventLog(14);
        log.every(5_000, 12, 30_000, "mirror", (event, i) -> event.bytes(10 * MEGABYTE));
        log.every(100, 900, 0, "thumbnails", (event, i) -> event.bytes(20_000));
        log.every(10_000, 9, 0, "backup-nightly", (event, i) -> event.bytes(400 * MEGABYTE));
        log.visitors(20, 5, 0, 90_000, (event, person) -> event.bytes(100_000));
        return log;
    }

    /** The report writer's sixth prompt of 12,000 tokens, at 3 s + 5·6.5 s = 35.5 s, makes 72,000. The widget's 300 questions take 40,000. */
    static EventLog tokenHog() {
        EventLog log = new EventLog(22);
        log.every(6_500, 9, 3_000, "report-writer", (event, i) -> event.cost(12_000));
        log.every(200, 300, 0, "chat-widget", (event, i) -> event.cost(i % 3 == 0 ? 80 : 160));
        log.visitors(20, 5, 0, 90_000, (event, person) -> event.cost(1_500));
        return log;
    }

    /**
     * Requests each 200 ms from 0:10 on. Of the service {@code api}: small's 61st at 10 s + 60·0.2 s = 22 s, acme's 181st
     * at 10 s + 180·0.2 s = 46 s, and exactly 60 of frugal's. Of {@code search}: free's 31st at 10 s + 30·0.2 s = 16 s, the
     * gold plan's 91st at 10 s + 90·0.2 s = 28 s, and exactly 90 of another gold customer's.
     */
    static EventLog planOverrides() {
        EventLog log = new EventLog(15);
        log.every(200, 80, 10_000, "small", (event, i) -> event.service("api"));
        log.every(200, 60, 10_000, "frugal", (event, i) -> event.service("api"));
        log.every(200, 200, 10_000, "acme", (event, i) -> event.service("api"));
        log.every(200, 50, 10_000, "free", (event, i) -> event.service("search").plan("free"));
        log.every(
                200,
                110,
                10_000,
                "golden",
                (event, i) -> event.service("search").plan("gold"));
        log.every(
                200,
                90,
                10_000,
                "careful",
                (event, i) -> event.service("search").plan("gold"));
        log.visitors(10, 4, 0, 60_000, (event, person) -> event.service("api"));
        log.visitors(
                10, 4, 0, 60_000, (event, person) -> event.service("search").plan("free"));
        return log;
    }
}

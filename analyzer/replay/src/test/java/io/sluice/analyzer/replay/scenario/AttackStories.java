package io.sluice.analyzer.replay.scenario;

/** Attacks. Each story says how the times of its locks follow. */
final class AttackStories {
    private static final String[] THINGS = {"shoes", "hats", "coats", "belts", "scarves", "gloves", "socks", "shirts"};
    private static final String[] COLOURS = {"red", "green", "blue", "black", "white", "grey", "brown", "pink"};

    private AttackStories() {}

    /**
     * Accounts tried from 203.0.113.66, every 1.5 s from 0:60 on; every fourth attempt tries the account of the third
     * again. The 21st different account is number 20 = 3·6 + 2, attempt 4·6 + 2 = 26: 60 s + 26·1.5 s = 99 s.
     */
    static EventLog credentialStuffing() {
        EventLog log = new EventLog(1);
        for (int attempt = 0; attempt < 100; attempt++) {
            int account = attempt / 4 * 3 + Math.min(attempt % 4, 2);
            log.at(60_000 + attempt * 1_500L, "account-" + account)
                    .claimed()
                    .route("/login")
                    .ip("203.0.113.66")
                    .status(attempt % 2 == 0 ? 401 : 403);
        }
        // a classroom, where forty people log in and get it right
        for (int person = 0; person < 40; person++) {
            log.at(30_000 + person * 1_500L, "student-" + person)
                    .route("/login")
                    .ip("192.0.2.20")
                    .status(200);
        }
        // an office with twenty changed passwords, and a user with a forgotten one
        for (int person = 0; person < 20; person++) {
            log.at(120_000 + person * 2_000L, "clerk-" + person)
                    .claimed()
                    .route("/login")
                    .ip("192.0.2.10")
                    .status(401);
        }
        log.every(
                3_000,
                40,
                90_000,
                "forgetful",
                (event, i) -> event.claimed().route("/login").ip("198.51.100.7").status(401));
        log.visitors(
                150,
                1,
                0,
                300_000,
                (event, person) ->
                        event.route("/login").ip("198.18." + person + ".1").status(200));
        return log;
    }

    /**
     * Sixteen addresses of one /24 share the work, a page each 2 s from 0:30 on: the 41st page at 30 s + 40·2 s = 110 s.
     * One address alone reads a page a second from 3:20 on: the 41st at 200 s + 40 s = 240 s, for itself and its /24.
     */
    static EventLog scraper() {
        EventLog log = new EventLog(2);
        log.every(
                2_000,
                60,
                30_000,
                "anonymous",
                (event, i) -> event.route(page(i)).ip("198.51.100." + (10 + i % 16)));
        log.every(
                1_000,
                50,
                200_000,
                "anonymous",
                (event, i) -> event.route(page(i)).ip("203.0.113.77"));
        // counts through ids; that is one route, however many there are
        log.every(
                500,
                300,
                60_000,
                "anonymous",
                (event, i) -> event.route("/orders/" + (1000 + i)).ip("192.0.2.50"));
        log.visitors(
                40,
                6,
                0,
                300_000,
                (event, person) -> event.route(page(person % 7)).ip("198.18." + person + ".1"));
        return log;
    }

    private static String page(int number) {
        return "/shop/" + THINGS[number / 8] + "/" + COLOURS[number % 8];
    }

    /**
     * A hundred bots of one /24 search in turn, one each 100 ms from 0:20 on: their 301st request at 20 s + 300·0.1 s =
     * 50 s. Bots all over the world log in, one each 50 ms from 2:00 on: the 601st at 120 s + 600·0.05 s = 150 s. One
     * address does what none of the bots does, from 1:10 on, each 200 ms: its 61st request at 70 s + 60·0.2 s = 82 s.
     */
    static EventLog botnet() {
        EventLog log = new EventLog(3);
        log.every(
                100,
                400,
                20_000,
                "anonymous",
                (event, i) -> event.route("/search").ip("198.51.100." + (1 + i % 100)));
        log.every(
                50,
                650,
                120_000,
                "anonymous",
                (event, i) -> event.route("/login").ip("45." + i / 200 + "." + i % 200 + ".7"));
        log.every(
                200,
                70,
                70_000,
                "anonymous",
                (event, i) -> event.route("/search").ip("203.0.113.9"));
        log.visitors(
                60, 3, 0, 180_000, (event, person) -> event.route("/search").ip("198.18." + person + ".1"));
        return log;
    }

    /**
     * A client at 203.0.113.40 claims to be acme, three times a second from 0:10 on. The 101st request is at 10 s +
     * 100·0.3 s = 40 s, and it is the address that is locked.
     */
    static EventLog framedCaller() {
        EventLog log = new EventLog(4);
        log.every(300, 300, 10_000, "acme", (event, i) -> event.claimed().ip("203.0.113.40"));
        log.every(2_000, 60, 0, "acme", (event, i) -> event.ip("192.0.2.80"));
        log.visitors(20, 5, 0, 120_000, (event, person) -> event.ip("198.18." + person + ".1"));
        return log;
    }
}

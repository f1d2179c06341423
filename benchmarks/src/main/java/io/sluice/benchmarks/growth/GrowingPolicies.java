package io.sluice.benchmarks.growth;

import java.util.List;

/** Sets of policies that grow. Every policy throttles a caller over a thousand requests a second, or what is as rare. */
final class GrowingPolicies {
    private static final String HEAD = "version: 1\npolicies:\n";
    private static final List<String> SERVICES = List.of("orders", "search", "basket", "users");
    private static final List<String> ROUTES =
            List.of("/orders", "/search", "/items", "/login", "/orders/{id}", "/basket/{id}");

    private GrowingPolicies() {}

    /** One that counts requests of callers. */
    static String one(String window, int panes, long above) {
        return HEAD + policy("growing", "", "requests", window, panes, above);
    }

    /** So many, and every event counts for each of them: the most that policies can cost. */
    static String counting(int policies) {
        StringBuilder all = new StringBuilder(HEAD);
        for (int n = 0; n < policies; n++) {
            all.append(policy("growing-" + n, "", "requests", "1m", 50, 60_000 + n));
        }
        return all.toString();
    }

    /** One that counts every event, and others that count one route of one service each, as operators write them. */
    static String forRoutes(int policies) {
        StringBuilder all = new StringBuilder(HEAD);
        all.append(policy("growing", "", "requests", "1m", 50, 60_000));
        for (int n = 1; n < policies; n++) {
            String match = "    match: { service: %s, route: \"%s\" }\n"
                    .formatted(SERVICES.get(n % SERVICES.size()), ROUTES.get(n % ROUTES.size()));
            all.append(policy("growing-" + n, match, "requests", "1m", 50, 60_000 + n));
        }
        return all.toString();
    }

    private static String policy(String name, String match, String measure, String window, int panes, long above) {
        return """
                  - name: %s
                %s    per: [caller]
                    measure: %s
                    window: %s
                    panes: %d
                    lock: { when: [{ above: %d }], mode: throttle, rate: 100/s }
                """.formatted(name, match, measure, window, panes, above);
    }
}

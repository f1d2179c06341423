package io.sluice.analyzer.api;

import java.util.List;

/**
 * What a request takes.
 *
 * @param role the least role
 * @param change whether it changes something, which takes {@code http.writes}
 */
record Permission(AccessRole role, boolean change) {
    private static final Permission LOOK = new Permission(AccessRole.LOOK, false);
    private static final Permission OPERATE = new Permission(AccessRole.OPERATE, true);
    private static final Permission POLICIES = new Permission(AccessRole.POLICIES, true);

    /** Paths whose requests calculate something from their bodies, and change nothing. */
    private static final List<String> CALCULATIONS = List.of(SignInLinks.PATH);

    /** @param target path and query as they were sent */
    static Permission of(String method, String target) {
        String path = target.replaceFirst("\\?.*", "");
        boolean calculation = method.equals("POST") && CALCULATIONS.contains(path);
        if (method.equals("GET") || calculation || ReplayEndpoint.asked(method, path)) {
            return LOOK;
        }
        // not by the path: it may be percent-encoded
        return method.equals("PUT") ? POLICIES : OPERATE;
    }
}

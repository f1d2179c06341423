package io.sluice.analyzer.api;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Codes that sign a browser in once, within a minute, so that a link needs no token. At most {@value #MOST} are kept, of which a new one replaces
 * the oldest. They are kept by one instance only. Thread-safe.
 */
final class SignInLinks {
    static final String PATH = SignIn.PATH + "/links";
    static final int MOST = 64;
    static final long SECONDS = 60;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Link> links = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Link> eldest) {
            return size() > MOST;
        }
    };

    private record Link(String user, long end) {}

    /**
     * Returns a new code.
     *
     * @param user the name of the user to sign in
     * @param now seconds since the epoch
     */
    synchronized String create(String user, long now) {
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        String code = HexFormat.of().formatHex(bytes);
        links.put(code, new Link(user, now + SECONDS));
        return code;
    }

    /** Returns the name of the user of a code, once; empty for a code that is unknown, used or too old. */
    synchronized Optional<String> use(String code, long now) {
        @Nullable Link link = links.remove(code);
        return link == null || now >= link.end ? Optional.empty() : Optional.of(link.user);
    }
}

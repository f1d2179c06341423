package io.sluice.client;

import java.net.URI;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hosts that a client calls. What can't be told from a new one, or was not called for long, is forgotten when there are
 * many; the hosts beyond the bound share one entry, so that no list of addresses makes it grow. Thread-safe.
 */
final class HostStates {
    static final int MOST = 1024;

    private final ConcurrentHashMap<String, HostState> hosts = new ConcurrentHashMap<>();
    private final RetryPolicy patience;
    private final HostState others;

    HostStates(RetryPolicy patience) {
        this.patience = patience;
        this.others = new HostState("one of many hosts", patience);
    }

    /** The host of a request, with one more call under way; {@link HostState#leave} when the call is over. */
    HostState enter(URI uri, long now) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        String name = scheme + "://" + String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ":" + port(uri, scheme);
        if (hosts.size() >= MOST && !hosts.containsKey(name)) {
            forget(now);
            if (hosts.size() >= MOST) {
                others.enter();
                return others;
            }
        }
        // entered under the key's own lock, so that it is not forgotten in between
        return hosts.compute(name, (key, known) -> {
            HostState host = known == null ? new HostState(key, patience) : known;
            host.enter();
            return host;
        });
    }

    private void forget(long now) {
        for (String name : hosts.keySet()) {
            hosts.computeIfPresent(name, (key, host) -> host.idle(now) ? null : host);
        }
    }

    private static int port(URI uri, String scheme) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return scheme.equals("https") ? 443 : 80;
    }

    int size() {
        return hosts.size();
    }
}

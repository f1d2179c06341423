package io.sluice.client;

import java.net.URI;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hosts that a client calls, at most {@value #MOST}. When the bound is reached, idle hosts are removed; hosts beyond the bound share one
 * state. Thread-safe.
 */
final class HostStates {
    static final int MOST = 1024;

    private final ConcurrentHashMap<String, HostState> hosts = new ConcurrentHashMap<>();
    private final RetryPolicy policy;
    private final HostState others;

    HostStates(RetryPolicy policy) {
        this.policy = policy;
        this.others = new HostState("one of many hosts", policy);
    }

    /** Returns the host of a request and counts one more call; {@link HostState#leave} when the call has ended. */
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
        // entered under the key's lock, so that it is not removed in between
        return hosts.compute(name, (key, known) -> {
            HostState host = known == null ? new HostState(key, policy) : known;
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

package io.sluice.spring;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/** Compares what Boot believes of proxies with what the gate believes. */
final class ForwardedHeaders {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedHeaders.class);
    private static final String STRATEGY = "server.forward-headers-strategy";

    private ForwardedHeaders() {}

    /** Logs a warning when Boot takes addresses from forwarded headers and the gate knows no proxy that may write them. */
    static void warn(Environment environment, List<String> trustedProxies) {
        String why = trustedProxies.isEmpty() ? why(environment) : null;
        if (why != null) {
            LOG.warn(
                    "{}, but sluice.agent.trusted-proxies is empty: the gate takes no address from X-Forwarded-For, so all"
                            + " clients behind a proxy share the proxy's address and can be one caller. Set"
                            + " sluice.agent.trusted-proxies to the addresses or networks of your proxies",
                    why);
        }
    }

    private static @Nullable String why(Environment environment) {
        String strategy = environment.getProperty(STRATEGY);
        if (strategy != null) {
            boolean used = !strategy.strip().toLowerCase(Locale.ROOT).equals("none");
            return used ? STRATEGY + " is " + strategy.strip() : null;
        }
        // as Boot decides where nothing is configured
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders()
                ? "Boot believes forwarded headers on " + platform
                : null;
    }
}

package io.sluice.settings;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of the events of locks.
 *
 * @param url http or https
 * @param secretFile holds what messages are signed with, or {@code null} for no signature
 * @param events which of {@code open}, {@code release} and {@code guard}
 */
public record WebhookSettings(URI url, @Nullable Path secretFile, Set<String> events) {
    public WebhookSettings {
        events = Set.copyOf(events);
    }

    /** Shows the host only: the address is enough to post there. */
    @Override
    public String toString() {
        return "WebhookSettings[host=" + url.getHost() + ", events=" + events + "]";
    }
}

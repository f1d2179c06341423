package io.sluice.settings;

import io.sluice.contract.event.Cidr;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of the analyzer's API that signs users in.
 *
 * @param trusted its addresses; empty: the headers of no client count
 * @param secretFile holds a secret that it sends, too; {@code null} for none
 * @param userHeader the header with the name of the user
 * @param groupsHeader the header with the groups of the user, separated by commas
 */
public record ProxySettings(List<Cidr> trusted, @Nullable Path secretFile, String userHeader, String groupsHeader) {
    /** No proxy. */
    public static final ProxySettings NONE =
            new ProxySettings(List.of(), null, "X-Forwarded-User", "X-Forwarded-Groups");

    public ProxySettings {
        trusted = List.copyOf(trusted);
    }
}

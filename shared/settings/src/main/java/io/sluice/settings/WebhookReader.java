package io.sluice.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads {@code webhooks}; there is none unless one is configured. */
final class WebhookReader {
    private static final Set<String> EVENTS = new LinkedHashSet<>(List.of("open", "release", "guard"));

    private final Map<String, Found> found;
    private final Values values;

    WebhookReader(Map<String, Found> found, Values values) {
        this.found = found;
        this.values = values;
    }

    List<WebhookSettings> read() {
        Set<Integer> positions = new TreeSet<>();
        for (String key : found.keySet()) {
            Matcher webhook = KnownKeys.WEBHOOK_KEY.matcher(key);
            if (webhook.matches()) {
                positions.add(Integer.valueOf(webhook.group(1)));
            }
        }
        List<WebhookSettings> webhooks = new ArrayList<>();
        for (int position : positions) {
            String at = "webhooks." + position + ".";
            URI url = url(at + "url");
            Path secret = secret(at + "secret-file");
            Set<String> events = events(at + "events");
            if (url != null) {
                webhooks.add(new WebhookSettings(url, secret, events));
            }
        }
        return webhooks;
    }

    /** Nothing but http: a file or a jar is no receiver. */
    private @Nullable URI url(String key) {
        String value = values.text(key);
        try {
            URI url = new URI(value);
            boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            if (http && url.getHost() != null && url.getUserInfo() == null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // reported below, together with what is allowed
        }
        // the address is as good as a password, and may contain one
        values.problem(
                key,
                value.isEmpty() ? "" : "another (not shown: it may hold a secret)",
                "an http:// or https:// URL with a host, and without a user");
        return null;
    }

    private @Nullable Path secret(String key) {
        Path file = values.path(key);
        if (file != null && !Files.isReadable(file)) {
            values.problem(key, file.toString(), "a file that can be read");
        }
        return file;
    }

    private Set<String> events(String key) {
        List<String> said = values.list(key);
        for (String event : said) {
            if (!EVENTS.contains(event)) {
                values.problem(key, event, "any of open, release, guard");
            }
        }
        return said.isEmpty() ? EVENTS : Set.copyOf(said);
    }
}

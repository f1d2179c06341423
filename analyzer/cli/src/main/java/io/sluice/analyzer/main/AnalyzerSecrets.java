package io.sluice.analyzer.main;

import io.sluice.analyzer.api.ApiSecrets;
import io.sluice.analyzer.run.CannotStart;
import io.sluice.settings.FileErrors;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.WebhookSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The contents of an analyzer's files of tokens and secrets. Each is read once, before Kafka is asked: it may be a pipe, and a new run after an outage
 * must not need it again. The arrays are not copied.
 *
 * @param api those of the API
 * @param webhooks those that sign messages, by their files
 */
public record AnalyzerSecrets(ApiSecrets api, Map<Path, byte[]> webhooks) {
    public AnalyzerSecrets {
        webhooks = Map.copyOf(webhooks);
    }

    /** @throws CannotStart when one can't be read, is empty or has errors; no secret is in the message */
    public static AnalyzerSecrets read(SluiceSettings settings) throws CannotStart {
        try {
            Map<Path, byte[]> webhooks = new HashMap<>();
            for (WebhookSettings webhook : settings.webhooks()) {
                Path file = webhook.secretFile();
                if (file != null && !webhooks.containsKey(file)) {
                    webhooks.put(file, secret(file));
                }
            }
            return new AnalyzerSecrets(ApiSecrets.read(settings.http()), webhooks);
        } catch (IOException e) {
            throw new CannotStart(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] secret(Path file) throws IOException {
        String secret;
        try {
            secret = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException("webhooks: " + FileErrors.message(file, e), e);
        }
        if (secret.isEmpty()) {
            throw new IOException("webhooks: " + file + " is empty; a secret-file holds what messages are signed with");
        }
        return secret.getBytes(StandardCharsets.UTF_8);
    }
}

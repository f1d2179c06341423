package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSettingsTest {
    @TempDir
    Path folder;

    private SluiceSettings read(String yaml, Map<String, String> environment) throws Exception {
        return SluiceSettings.read(Files.writeString(folder.resolve("sluice.yml"), yaml), environment);
    }

    private InvalidSettings refused(String yaml) {
        return catchThrowableOfType(InvalidSettings.class, () -> read(yaml, Map.of()));
    }

    @Test
    void thereIsNoneUnlessOneIsConfigured() throws Exception {
        assertThat(read("", Map.of()).webhooks()).isEmpty();
        assertThat(read("webhooks: []", Map.of()).webhooks()).isEmpty();
    }

    @Test
    void oneWithoutMoreHearsOfEverything() throws Exception {
        assertThat(read("webhooks: [{ url: \"https://ops.example/hook\" }]", Map.of())
                        .webhooks())
                .singleElement()
                .satisfies(webhook -> {
                    assertThat(webhook.url()).isEqualTo(URI.create("https://ops.example/hook"));
                    assertThat(webhook.secretFile()).isNull();
                    assertThat(webhook.events()).containsExactlyInAnyOrder("open", "release", "guard");
                });
    }

    @Test
    void aFileAndTheEnvironmentGoTogether() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "s");

        SluiceSettings settings = read(
                "webhooks: [{ url: \"http://a/\", events: [guard] }]",
                Map.of("SLUICE_WEBHOOKS_0_SECRET_FILE", secret.toString(), "SLUICE_WEBHOOKS_1_URL", "http://b/"));

        assertThat(settings.webhooks()).hasSize(2).first().satisfies(webhook -> {
            assertThat(webhook.secretFile()).isEqualTo(secret);
            assertThat(webhook.events()).containsExactly("guard");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://a/",
                "jar:http://a/!/",
                "//a/hook",
                "hook",
                "http:///hook",
                "http://user:password@a/",
                "http://a b/"
            })
    void nothingButHttpIsAReceiver(String url) {
        assertThat(refused("webhooks: [{ url: \"" + url + "\" }]"))
                .hasMessageContaining("sluice.yml:1")
                .hasMessageContaining(
                        "webhooks.0.url: found another (not shown: it may hold a secret), allowed is an http://"
                                + " or https:// URL")
                .hasMessageNotContaining("found " + url);
    }

    @Test
    void allThatIsWrongIsSaidAtOnce() {
        assertThat(refused("webhooks: [{ secret-file: nowhere, events: [open, close] }, { uri: \"http://a/\" }]"))
                .hasMessageContaining("webhooks.0.url: found nothing")
                .hasMessageContaining("webhooks.0.secret-file: found nowhere, allowed is a file that can be read")
                .hasMessageContaining("webhooks.0.events: found close, allowed is any of open, release, guard")
                .hasMessageContaining("did you mean webhooks.0.url?");
    }

    @Test
    void theAddressIsPrintedForNobody() throws Exception {
        assertThat(read("webhooks: [{ url: \"https://ops.example/T0ken\" }]", Map.of())
                        .printed())
                .contains("webhooks.0.url: ********")
                .doesNotContain("T0ken");
    }
}

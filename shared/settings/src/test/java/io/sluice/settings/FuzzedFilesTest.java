package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that operators write, damaged: they are read, or refused with what is wrong. */
@Tag(Seeds.TAG)
class FuzzedFilesTest {
    private static final String POLICIES = """
            version: 1
            enforce: true
            allow: [{ caller: internal-*, until: 2030-01-01T00:00:00Z, reason: ours }]
            guard: { subjects: 5%, atLeast: 10, atMost: 1000 }
            policies:
              - name: noisy
                match: { service: [orders, carts], method: { not: GET }, ip: 10.0.0.0/8 }
                per: [caller, "label:plan", ip/24]
                window: 1m
                panes: 60
                measure: { distinct: route }
                lock: { when: [{ above: 100 }, { all: [{ share: 40%, of: [service] }, { spike: 3x }] }], mode: throttle, rate: 50/s,
                        for: 5m, escalate: { times: 2, within: 2h, most: 1d } }
                limit: { rate: 10/s, burst: 20, algorithm: token-bucket, onDegraded: local }
                overrides: [{ match: { caller: big }, lock: { when: [{ above: 900 }] } }]
            """;
    private static final String SETTINGS = """
            kafka: { bootstrap.servers: "a:1,b:2" }
            topics: { prefix: x., partitions: 8, history: 7d }
            sources:
              - { topic: web, format: combined, rejected: [429, 503], spread: 2, fields: { millis: t }, labels: { zone: z } }
              - topic: other
            analyzer: { threads: 2, tick: 5ms, rocksdb-memory: 128MB }
            http: { bind: "::1", port: 8480, allowed-hosts: [a, b] }
            agent: { service: orders, caller: "header:X-Key", trusted-proxies: [10.0.0.0/8] }
            sidecar: { http: "[::1]:8481" }
            webhooks: [{ url: "https://a/b", events: [open] }]
            """;

    @TempDir
    Path folder;

    private static List<byte[]> sound(String text) {
        return List.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What a file is refused with. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    void policies() {
        int refused = Fuzzing.run("policies", sound(POLICIES), Refused.class, input -> {
            try {
                assertThat(PolicyFile.read(input, "policies.yml").revision()).isNotEmpty();
            } catch (MalformedRecord | InvalidPolicies e) {
                assertThat(e.getMessage()).contains("policies.yml").hasSizeLessThan(100_000);
                throw new Refused();
            }
        });
        assertThat(refused).isPositive();
    }

    @Test
    void settings() {
        Path file = folder.resolve("sluice.yml");
        int refused = Fuzzing.run("settings", sound(SETTINGS), Refused.class, input -> {
            // Jazzer runs it after JUnit has removed the folder
            Files.createDirectories(folder);
            // ext4 writes a file that is truncated to the disk when it is closed, a new one later
            Files.deleteIfExists(file);
            Files.write(file, input);
            try {
                assertThat(SluiceSettings.read(file, Map.of()).sources()).isNotEmpty();
            } catch (InvalidSettings e) {
                assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(100_000);
                throw new Refused();
            }
        });
        assertThat(refused).isPositive();
    }
}

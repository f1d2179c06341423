package io.sluice.settings;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code agent}. */
final class AgentReader {
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600_000;

    private final Map<String, Found> found;
    private final Values values;
    private final List<String> warnings;

    AgentReader(Map<String, Found> found, Values values, List<String> warnings) {
        this.found = found;
        this.values = values;
        this.warnings = warnings;
    }

    AgentSettings read() {
        String id = values.optional("agent.id");
        String caller = values.text("agent.caller");
        if (!caller.matches("address|principal|header:[A-Za-z0-9-]{1,64}")) {
            values.problem("agent.caller", caller, "address, principal or header:NAME");
        }
        checkName("agent.id", id);
        checkName("agent.service", values.text("agent.service"));
        return new AgentSettings(
                id != null ? id : ofHost(random()),
                values.text("agent.service"),
                values.path("agent.policies"),
                values.truth("agent.enforce"),
                values.millis("agent.max-lease", SECOND, 24 * HOUR),
                values.millis("agent.stale-after", SECOND, HOUR),
                values.number("agent.gates", 100, 100_000_000),
                values.optional("agent.log-topic"),
                values.optional("agent.log-spread") == null ? null : values.number("agent.log-spread", 1, 16),
                values.number("agent.log-queue", 1, 10_000_000),
                values.millis("agent.heartbeat", 100, 5_000),
                caller,
                SourceReader.identity(values, "agent.identity"),
                values.networks("agent.trusted-proxies").stream()
                        .map(Cidr::toString)
                        .toList(),
                values.number("agent.ipv6-prefix", 1, 128),
                pseudonyms(),
                values.millis("agent.quota.wait", 1, 10 * SECOND),
                quotas());
    }

    /** The fleet ignores agents with longer names. */
    private void checkName(String key, @Nullable String name) {
        if (name != null && name.length() > AgentHeartbeat.LONGEST_NAME) {
            values.problem(key, name.length() + " characters", "up to " + AgentHeartbeat.LONGEST_NAME + " characters");
        }
    }

    private Map<String, Map<String, String>> quotas() {
        Map<String, Map<String, String>> quotas = new TreeMap<>();
        for (String key : found.keySet()) {
            Matcher quota = KnownKeys.QUOTA_KEY.matcher(key);
            if (quota.matches()) {
                quotas.computeIfAbsent(quota.group(1), name -> new TreeMap<>()).put(quota.group(2), values.text(key));
            }
        }
        return quotas;
    }

    private Pseudonyms pseudonyms() {
        String key = "agent.pseudonym-key-file";
        Path file = values.path(key);
        if (file == null) {
            return Pseudonyms.NONE;
        }
        SecretFiles.warning(key, file).ifPresent(warnings::add);
        try {
            return Pseudonyms.read(file);
        } catch (IOException e) {
            values.problem(key, file.toString(), "a file of keys; " + FileErrors.message(file, e));
            return Pseudonyms.NONE;
        }
    }

    private static String ofHost(String random) {
        String host = HostName.local();
        int most = AgentHeartbeat.LONGEST_NAME - 1 - random.length();
        return host.substring(0, Math.min(most, host.length())) + "-" + random;
    }

    private static String random() {
        byte[] bytes = new byte[3];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}

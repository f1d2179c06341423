package io.sluice.settings;

import io.sluice.contract.event.Identity;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an agent runs when it is started from a file. Times are in milliseconds.
 *
 * @param service what it guards; empty when not set
 * @param policies a local file, in force until the topic has been read, or {@code null}
 * @param gates most gates held at once
 * @param logTopic of the access log; {@code null}: {@code requests} behind the prefix
 * @param logSpread the most partitions with entries of one caller, 1 to 16, or {@code null}: all
 * @param logQueue most access-log entries waiting to leave
 * @param caller {@code header:X}, {@code principal} or {@code address}
 * @param pseudonyms the keys of the file named, also for commands and the analyzer
 * @param quotaWait the longest wait for a strategy's answer
 * @param quotas settings of the strategies by their names
 */
public record AgentSettings(
        String id,
        String service,
        @Nullable Path policies,
        boolean enforce,
        long maxLease,
        long staleAfter,
        int gates,
        @Nullable String logTopic,
        @Nullable Integer logSpread,
        int logQueue,
        long heartbeat,
        String caller,
        @Nullable Identity identity,
        List<String> trustedProxies,
        int ipv6Prefix,
        Pseudonyms pseudonyms,
        long quotaWait,
        Map<String, Map<String, String>> quotas) {}

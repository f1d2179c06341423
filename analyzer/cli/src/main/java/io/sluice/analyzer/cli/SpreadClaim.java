package io.sluice.analyzer.cli;

import io.sluice.analyzer.load.WatchKeys;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Whether callers were found in more partitions than sources claim, from the records of the loads topic. Not thread-safe. */
final class SpreadClaim {
    /** The end of the watch on each claim that was exceeded, epoch milliseconds. */
    private final Map<String, Long> exceeded = new TreeMap<>();

    void record(ConsumerRecord<byte[], byte[]> record) {
        try {
            UsageKey key = UsageKey.read(record.key());
            if (!WatchKeys.isSpread(key)) {
                return;
            }
            String claimed = WatchKeys.subject(key).subject().get(0);
            if (record.value() == null) {
                exceeded.remove(claimed);
            } else {
                exceeded.put(claimed, LoadCodec.read(record.value()).asOf());
            }
        } catch (MalformedRecord e) {
            // the analyzer passes over it, too
            return;
        }
    }

    /** @param now broker time, epoch milliseconds */
    List<Symptom> symptoms(long now) {
        List<String> claims = exceeded.entrySet().stream()
                .filter(claim -> claim.getValue() > now)
                .map(Map.Entry::getKey)
                .toList();
        return claims.isEmpty()
                ? List.of(Symptom.ok("spread", "no caller was found in more partitions than sources.N.spread claims"))
                : List.of(Symptom.warn(
                        "spread",
                        "a caller was found in more partitions than the sources claim together: "
                                + String.join(", ", claims)
                                + "; meters assume all partitions now, and more callers travel",
                        "correct sources.N.spread, or key the topic's records by caller (agents: the same agent.log-spread), and"
                                + " restart the analyzers"));
    }
}

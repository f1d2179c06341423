package io.sluice.analyzer.run;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the meters have sent: sums, pane by pane, and how far they had read by when. */
final class SentUsage {
    private final int meters;
    private final Map<LoggedRequests.Pane, Long> panes = new HashMap<>();
    private final Map<Integer, Map<Integer, Long>> positions = new HashMap<>();
    /** Of each usage partition, up to when all meters had read, and when that was known there. */
    private final Map<Integer, NavigableMap<Long, Long>> readUpTo = new HashMap<>();

    private long newestEpoch;

    SentUsage(List<ConsumerRecord<byte[], byte[]>> records, int meters) {
        this.meters = meters;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                accept(UsageCodec.read(record.value()), record);
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void accept(UsageRecord usage, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (usage instanceof UsagePartial partial) {
            newestEpoch = Math.max(newestEpoch, partial.origin().epoch());
            if (!partial.load()) {
                String caller = UsageKey.read(record.key()).subject().get(0);
                panes.merge(new LoggedRequests.Pane(caller, partial.pane()), partial.admitted(), Long::sum);
            }
        } else if (usage instanceof MeterPosition position) {
            Map<Integer, Long> reached = positions.computeIfAbsent(record.partition(), any -> new HashMap<>());
            // a meter that reads again what was sent already takes nothing back
            reached.merge(position.origin().task(), position.position(), Math::max);
            if (reached.size() == meters) {
                long all = reached.values().stream()
                        .mapToLong(Long::longValue)
                        .min()
                        .orElseThrow();
                readUpTo.computeIfAbsent(record.partition(), any -> new TreeMap<>())
                        .putIfAbsent(all, record.timestamp());
            }
        }
    }

    Map<LoggedRequests.Pane, Long> panes() {
        return panes;
    }

    /** The beginning of the newest life of any meter. */
    long newestEpoch() {
        return newestEpoch;
    }

    /** When everything appended up to a time had arrived in a partition, {@link Long#MAX_VALUE} for never. */
    long arrival(int partition, long append) {
        NavigableMap<Long, Long> known = readUpTo.get(partition);
        Map.Entry<Long, Long> at = known == null ? null : known.higherEntry(append);
        return at == null ? Long.MAX_VALUE : at.getValue();
    }
}

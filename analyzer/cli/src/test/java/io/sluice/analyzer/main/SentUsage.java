package io.sluice.analyzer.main;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the meters have sent: sums, pane by pane. */
final class SentUsage {
    private final Map<LoggedRequests.Pane, Long> panes = new HashMap<>();
    private final Map<Integer, Long> reached = new HashMap<>();
    private long newestEpoch;

    /** Takes note of more records. */
    SentUsage add(List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                UsageBundle.read(record.value(), this::add);
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        }
        return this;
    }

    private void add(byte[] key, byte[] value) throws MalformedRecord {
        if (UsageCodec.read(value) instanceof UsagePartial partial) {
            newestEpoch = Math.max(newestEpoch, partial.origin().epoch());
            reached.merge(partial.origin().task(), partial.newestTime(), Math::max);
            String caller = UsageKey.read(key).subject().get(0);
            panes.merge(new LoggedRequests.Pane(caller, partial.pane()), partial.admitted(), Long::sum);
        }
    }

    Map<LoggedRequests.Pane, Long> panes() {
        return panes;
    }

    /** The event time that every meter has reached, {@link Long#MIN_VALUE} while one has sent nothing. */
    long reachedByAll(int meters) {
        return reached.size() < meters ? Long.MIN_VALUE : Collections.min(reached.values());
    }

    /** The beginning of the newest life of any meter. */
    long newestEpoch() {
        return newestEpoch;
    }
}

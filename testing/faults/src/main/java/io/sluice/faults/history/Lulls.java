package io.sluice.faults.history;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.topic.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * When callers that are meant to call all the time did not: on a busy machine their process, its log or the broker stands still. What was
 * appended late was not there before, for an analyzer neither.
 */
public final class Lulls {
    private final Map<String, List<Calls>> calls = new HashMap<>();
    private final long windowMillis;
    private final long enough;

    /** Calls that were logged as one. */
    private record Calls(long time, long append, long count) {}

    /** @param enough a lull is where a window holds fewer calls, admitted and rejected ones */
    Lulls(long windowMillis, long enough) {
        this.windowMillis = windowMillis;
        this.enough = enough;
    }

    /**
     * Reads all requests of these callers; the topic keeps the broker's time.
     *
     * @param enough a lull is where a window holds fewer calls, admitted and rejected ones
     */
    public static Lulls of(String bootstrap, TopicNames topics, Set<String> callers, long windowMillis, long enough) {
        Lulls lulls = new Lulls(windowMillis, enough);
        TopicHistory.read(bootstrap, topics.requests(), record -> lulls.add(record, callers));
        return lulls;
    }

    private void add(ConsumerRecord<byte[], byte[]> record, Set<String> callers) {
        try {
            RequestEvent event = RequestEventReader.ours().read(record.value());
            if (callers.contains(event.caller())) {
                add(event.caller(), event.time(), record.timestamp(), event.count());
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException("an agent wrote what can't be read", e);
        }
    }

    void add(String caller, long time, long append, long count) {
        calls.computeIfAbsent(caller, any -> new ArrayList<>()).add(new Calls(time, append, count));
    }

    /** Returns whether the caller ceased at any moment between two times, epoch milliseconds. */
    public boolean any(String caller, long from, long until) {
        List<Calls> its = calls.getOrDefault(caller, List.of());
        // the least of them stand there just before the next ones are appended
        return few(its, until)
                || its.stream()
                        .mapToLong(each -> each.append - 1)
                        .anyMatch(at -> at >= from && at < until && few(its, at));
    }

    private boolean few(List<Calls> its, long at) {
        long many = its.stream()
                .filter(each -> each.append <= at && each.time > at - windowMillis)
                .mapToLong(Calls::count)
                .sum();
        return many < enough;
    }
}

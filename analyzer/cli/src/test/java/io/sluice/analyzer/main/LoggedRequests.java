package io.sluice.analyzer.main;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What stands on a topic of access logs, each event at the time at which it counts, and the exact sums of its callers. */
final class LoggedRequests {
    private final List<Logged> events = new ArrayList<>();
    private final Map<String, long[]> times = new HashMap<>();

    /** @param append when the broker got it, epoch milliseconds */
    record Logged(RequestEvent event, long append) {}

    /** A caller in one pane. */
    record Pane(String caller, long number) {}

    LoggedRequests(String topic, List<ConsumerRecord<byte[], byte[]>> records, EventTimes rule) {
        LogFormat format = LogFormats.of(TestFleet.json(topic));
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                RequestEvent event = format.read(record.value());
                long time = rule.of(event.time(), record.timestamp());
                if (time == EventTimes.LATE) {
                    throw new IllegalStateException("an event is too late to be counted");
                }
                events.add(new Logged(event.at(time), record.timestamp()));
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        }
        Map<String, List<Long>> byCaller = new HashMap<>();
        events.forEach(it -> byCaller.computeIfAbsent(it.event.caller(), any -> new ArrayList<>())
                .add(it.event.time()));
        byCaller.forEach((caller, all) -> times.put(
                caller, all.stream().mapToLong(Long::longValue).sorted().toArray()));
    }

    int size() {
        return events.size();
    }

    List<RequestEvent> inOrderOfTime() {
        return events.stream()
                .map(Logged::event)
                .sorted(Comparator.comparingLong(RequestEvent::time))
                .toList();
    }

    /** How many of a caller's events have times in {@code (after, upTo]}. */
    long sum(String caller, long after, long upTo) {
        long[] all = times.getOrDefault(caller, new long[0]);
        return upTo(all, upTo) - upTo(all, after);
    }

    private static long upTo(long[] sorted, long time) {
        int at = Arrays.binarySearch(sorted, time);
        if (at < 0) {
            return -1L - at;
        }
        while (at < sorted.length && sorted[at] == time) {
            at++;
        }
        return at;
    }

    Map<Pane, Long> panes(long paneMillis) {
        Map<Pane, Long> sums = new HashMap<>();
        events.forEach(it ->
                sums.merge(new Pane(it.event.caller(), Math.floorDiv(it.event.time(), paneMillis)), 1L, Long::sum));
        return sums;
    }
}

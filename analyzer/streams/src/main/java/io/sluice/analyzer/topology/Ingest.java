package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.top.ClaimedWindow;
import io.sluice.contract.event.Field;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From the records of one source to the meter: events within the source's bound and in time are counted, unreadable records put aside. One thread. */
final class Ingest {
    private static final Logger log = LoggerFactory.getLogger(Ingest.class);

    private final ProcessorContext<Object, Object> context;
    private final LogFormat format;
    private final ReportBound bound;
    private final EventTimes times;
    private final Meter meter;
    private final Counts counts;
    private final ClaimedWindow claims;
    private final DeadLetterLog deadLetters;

    /** @param task under whose name its counts are found */
    Ingest(
            Parts parts,
            Parts.Requests source,
            String task,
            ProcessorContext<Object, Object> context,
            EventTimes times,
            Meter meter) {
        this.context = context;
        this.times = times;
        this.meter = meter;
        format = source.format().get();
        bound = new ReportBound(source.mostPerSecond());
        counts = parts.tallies().of(task);
        claims = parts.tallies().claims(task);
        deadLetters = parts.deadLetters();
    }

    void wanting(Set<Field> fields) {
        format.wanting(fields);
    }

    void take(Record<byte[], byte[]> record, RecordMetadata origin) {
        RequestEvent event = read(record, origin);
        if (event != null) {
            bounded(event, origin, record.timestamp());
        }
    }

    /** A parser may come from outside: whatever it throws concerns this record alone. */
    private @Nullable RequestEvent read(Record<byte[], byte[]> record, RecordMetadata origin) {
        if (record.value() == null) {
            putAside(record, origin, DeadLetter.Kind.EMPTY, "no value");
            return null;
        }
        try {
            return format.read(record.value());
        } catch (MalformedRecord e) {
            putAside(record, origin, DeadLetter.Kind.MALFORMED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            String reason = "the format failed: " + e.getClass().getName();
            putAside(record, origin, DeadLetter.Kind.FORMAT_FAILED, reason);
        }
        return null;
    }

    private void putAside(Record<byte[], byte[]> record, RecordMetadata origin, DeadLetter.Kind kind, String reason) {
        counts.add(Count.DEAD_LETTERS, kind.label());
        deadLetters.add(kind, origin, reason);
        context.forward(DeadLetter.of(record, origin, reason, context.currentSystemTimeMs()), Names.BAD_REQUESTS_OUT);
    }

    private void bounded(RequestEvent event, RecordMetadata origin, long append) {
        long within = bound.within(event.rejected(), event.count(), append);
        if (within < event.count()) {
            counts.add(Count.EXCESS, origin.topic(), event.count() - within);
            if (bound.warns(append)) {
                log.warn(
                        "{}-{} reports more requests a second than most-per-second of its source allows: the excess is not"
                                + " counted",
                        origin.topic(),
                        origin.partition());
            }
        }
        if (within > 0) {
            count(within == event.count() ? event : event.counting(within), append);
        }
    }

    private void count(RequestEvent event, long append) {
        counts.add(Count.EVENTS);
        claims.add(append, event.count(), event.identity() == Identity.CLAIMED);
        long time = times.of(event.time(), append);
        if (time == EventTimes.LATE) {
            counts.add(Count.LATE);
        } else {
            meter.add(time == event.time() ? event : event.at(time));
        }
    }
}

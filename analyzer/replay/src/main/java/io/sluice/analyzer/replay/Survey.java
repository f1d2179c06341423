package io.sluice.analyzer.replay;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;

/**
 * Result of the first reading of a log.
 *
 * @param disorder how far a line's time is behind a line before it, at most, in milliseconds
 * @param from the oldest event's time, epoch milliseconds; meaningless without events
 * @param to the newest event's time
 */
record Survey(long lines, long events, long outOfOrder, long disorder, long from, long to) {

    /** Observer of a first reading. */
    interface Reading {
        /** Takes the length of a line in bytes. */
        void line(int length);

        /** Takes what a line holds. */
        default void event(RequestEvent event) {}
    }

    /** @param reading called for each line and event */
    static Survey of(AccessLog log, LogFormat format, DeadLetters deadLetters, Reading reading) throws IOException {
        long read = 0;
        long events = 0;
        long outOfOrder = 0;
        long disorder = 0;
        long oldest = Long.MAX_VALUE;
        long newest = Long.MIN_VALUE;
        try (Lines lines = log.lines()) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                read++;
                reading.line(line.length);
                try {
                    RequestEvent event = format.read(line);
                    reading.event(event);
                    long time = event.time();
                    events++;
                    oldest = Math.min(oldest, time);
                    if (time < newest) {
                        outOfOrder++;
                        disorder = Math.max(disorder, newest - time);
                    }
                    newest = Math.max(newest, time);
                } catch (MalformedRecord e) {
                    deadLetters.add(String.valueOf(e.getMessage()), log.name(), lines.number());
                }
            }
            return new Survey(read, events, outOfOrder, disorder, oldest, newest);
        }
    }
}

package io.sluice.analyzer.ingest;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which fields tell what happened: for each of ours the slots of theirs, the first that is present. Immutable.
 *
 * @param micros service times in seconds, as nginx writes all its times
 */
@SuppressWarnings("ArrayRecordComponent") // of this package alone, and never written to
record Meaning(int[] time, int[] ip, int request, int[] method, int[] path, int[] status, int[] bytes, int[] micros) {
    private static final List<String> MAPPED =
            List.of("time", "ip", "request", "method", "route", "status", "bytes", "millis");

    /** nginx's own names, where {@code fields} doesn't say otherwise. */
    static Meaning nginx(Map<String, String> fields, Slots slots) {
        for (String ours : fields.keySet()) {
            if (!MAPPED.contains(ours)) {
                throw new IllegalArgumentException(
                        "fields: found '" + ours + "', allowed: " + String.join(", ", MAPPED));
            }
        }
        return new Meaning(
                slots(slots, fields.get("time"), "msec", "time_iso8601", "time_local"),
                slots(slots, fields.get("ip"), "remote_addr"),
                slots(slots, fields.get("request"), "request")[0],
                slots(slots, fields.get("method"), "request_method"),
                slots(slots, fields.get("route"), "request_uri", "uri"),
                slots(slots, fields.get("status"), "status"),
                slots(slots, fields.get("bytes"), "body_bytes_sent", "bytes_sent"),
                slots(slots, fields.get("millis"), "request_time"));
    }

    private static int[] slots(Slots slots, @Nullable String mapped, String... own) {
        String[] names = mapped == null ? own : new String[] {LogSource.variable(mapped)};
        return Arrays.stream(names).mapToInt(name -> slots.of("fields", name)).toArray();
    }

    private static int first(Fields fields, int[] slots) {
        for (int slot : slots) {
            if (fields.present(slot)) {
                return slot;
            }
        }
        return -1;
    }

    long time(Fields fields) throws MalformedRecord {
        int slot = first(fields, time);
        if (slot < 0) {
            throw new MalformedRecord("time: there is none");
        }
        long millis = fields.time(slot);
        if (millis == LogTime.UNREADABLE) {
            throw new MalformedRecord(fields.name(slot) + ": no time such as 12/May/2024:00:00:17 +0000,"
                    + " 2024-05-12T00:00:17+00:00 or 1715472017.000");
        }
        return millis;
    }

    @Nullable
    String address(Fields fields) {
        return fields.text(first(fields, ip));
    }

    /** From the request line; from method and path of their own where there is none, or where they are mapped. */
    RequestLine request(Fields fields) {
        int separateMethod = first(fields, method);
        int separatePath = first(fields, path);
        String line = fields.text(request);
        RequestLine whole = line == null ? RequestLine.UNKNOWN : RequestLine.of(line);
        return new RequestLine(
                whole.method() == null ? RequestLine.method(fields.text(separateMethod)) : whole.method(),
                whole.path() == null ? fields.text(separatePath) : whole.path());
    }

    /** The status; 0 when it is unknown, or none that HTTP has. */
    int status(Fields fields) throws MalformedRecord {
        int slot = first(fields, status);
        long code = fields.whole(slot);
        if (code < 0) {
            throw new MalformedRecord(fields.name(slot) + ": a status is expected");
        }
        return code >= 100 && code <= 599 ? (int) code : 0;
    }

    long bytes(Fields fields) throws MalformedRecord {
        int slot = first(fields, bytes);
        return cost(fields, slot, fields.whole(slot), "a number of bytes");
    }

    long micros(Fields fields) throws MalformedRecord {
        int slot = first(fields, micros);
        return cost(fields, slot, fields.micros(slot), "a number of seconds such as 0.004");
    }

    private static long cost(Fields fields, int slot, long value, String expected) throws MalformedRecord {
        if (value < 0 || value > RequestEvent.MAX_COST) {
            throw new MalformedRecord(fields.name(slot) + ": " + expected + " is expected");
        }
        return value;
    }
}

package io.sluice.analyzer.ingest;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps the fields of a log to ours: for each of ours the slots of theirs, of which the first that is present counts. Immutable.
 *
 * @param request the slot of a whole request line, or -1
 * @param ownMethod whether the method was mapped to a field, which counts before the request line
 * @param ownPath the same for the path
 * @param unit of the service times
 */
@SuppressWarnings("ArrayRecordComponent") // of this package alone, and never written to
record Meaning(
        int[] time,
        int[] ip,
        int request,
        int[] method,
        boolean ownMethod,
        int[] path,
        boolean ownPath,
        int[] status,
        int[] bytes,
        int[] micros,
        int[] cost,
        DurationUnit unit) {
    private static final List<String> MAPPED =
            List.of("time", "ip", "request", "method", "route", "status", "bytes", "millis", "cost");

    /** The field names of a kind of log, unless {@code fields} replaces them. */
    static Meaning of(Dialect dialect, Map<String, String> fields, Slots slots) {
        for (String ours : fields.keySet()) {
            if (!MAPPED.contains(ours)) {
                throw new IllegalArgumentException(
                        "fields: found '" + ours + "', allowed: " + String.join(", ", MAPPED));
            }
        }
        Function<String, int[]> of = ours -> names(dialect, fields, ours).stream()
                .mapToInt(name -> slots.of("fields", name))
                .toArray();
        int[] time = of.apply("time");
        int[] ip = of.apply("ip");
        int[] request = of.apply("request");
        return new Meaning(
                time,
                ip,
                request.length == 0 ? -1 : request[0],
                of.apply("method"),
                fields.containsKey("method"),
                of.apply("route"),
                fields.containsKey("route"),
                of.apply("status"),
                of.apply("bytes"),
                of.apply("millis"),
                of.apply("cost"),
                dialect.unit());
    }

    /** Their names of one of our fields. */
    static List<String> names(Dialect dialect, Map<String, String> fields, String ours) {
        String mapped = fields.get(ours);
        return mapped == null ? dialect.names(ours) : List.of(LogSource.variable(mapped));
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

    /** The slot of the client's address, or -1 when there is none. */
    int address(Fields fields) {
        return first(fields, ip);
    }

    /** From the request line; from method and path of their own where there is none, or where they are mapped. */
    RequestLine request(Fields fields) {
        String line = fields.text(request);
        RequestLine whole = line == null ? RequestLine.UNKNOWN : RequestLine.of(line);
        String separateMethod = RequestLine.method(fields.text(first(fields, method)));
        String separatePath = fields.text(first(fields, path));
        return new RequestLine(
                ownMethod ? or(separateMethod, whole.method()) : or(whole.method(), separateMethod),
                ownPath ? or(separatePath, whole.path()) : or(whole.path(), separatePath));
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first == null ? second : first;
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
        return cost(fields, slot, unit.micros(fields, slot), unit.expected());
    }

    /** What the request cost; 0 where no field is mapped to it. */
    long cost(Fields fields) throws MalformedRecord {
        int slot = first(fields, cost);
        return cost(fields, slot, fields.whole(slot), "a whole number");
    }

    private static long cost(Fields fields, int slot, long value, String expected) throws MalformedRecord {
        if (value < 0 || value > RequestEvent.MAX_COST) {
            throw new MalformedRecord(fields.name(slot) + ": " + expected + " is expected");
        }
        return value;
    }
}

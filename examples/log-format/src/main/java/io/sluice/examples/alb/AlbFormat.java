package io.sluice.examples.alb;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of an Application Load Balancer, as AWS documents it ("Access logs for your Application Load Balancer", log entry
 * syntax). The caller is the client's address, of IPv6 its network, as at the gates; the
 * service is what the source says.
 */
final class AlbFormat implements LogFormat {
    // the fields' positions; those behind the request are of no use here, and AWS adds more from time to time
    private static final int TIME = 1;
    private static final int CLIENT = 3;
    private static final int FIRST_DURATION = 5;
    private static final int LAST_DURATION = 7;
    private static final int STATUS = 8;
    private static final int SENT_BYTES = 11;
    private static final int REQUEST = 12;

    private static final int MAX_BYTES = 65_536;
    private static final String FIXED = "value:";

    private final @Nullable String service;
    private final Identity identity;
    private final Set<Integer> rejected;
    private final RouteNormalizer routes;
    private final int ipv6Prefix;

    AlbFormat(SourceSettings source) {
        refuse(!source.caller().isEmpty(), "caller: an alb log knows only the client's address");
        refuse(!source.fields().isEmpty(), "fields: an alb log has no names to map");
        refuse(!source.labels().isEmpty(), "labels: an alb log has no fields for them");
        String named = source.service();
        refuse(named != null && !named.startsWith(FIXED), "service: an alb log has no field for it, only value:NAME");
        service = named == null ? null : named.substring(FIXED.length());
        Identity configured = source.identity();
        identity = configured == null ? Identity.NETWORK : configured;
        rejected = source.rejected();
        routes = new RouteNormalizer(source.routes());
        ipv6Prefix = source.ipv6Prefix();
    }

    private static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public RequestEvent read(byte[] record) throws MalformedRecord {
        require(record.length <= MAX_BYTES, "longer than " + MAX_BYTES + " bytes");
        List<String> fields = AlbLine.fields(new String(record, StandardCharsets.UTF_8), REQUEST + 1);
        require(fields.size() > REQUEST, "only " + fields.size() + " fields, " + (REQUEST + 1) + " are expected");
        String ip = Addresses.canonical(fields.get(CLIENT));
        if (ip == null) {
            throw new MalformedRecord("client: an address and a port are expected");
        }
        int status = status(fields.get(STATUS));
        String[] request = fields.get(REQUEST).split(" ", -1);
        require(request.length == 3, "request: METHOD URL PROTOCOL are expected");
        return new RequestEvent(
                time(fields.get(TIME)),
                Addresses.caller(ip, ipv6Prefix),
                service,
                unknown(request[1]) ? null : routes.normalize(request[1]),
                unknown(request[0]) ? null : request[0],
                ip,
                status,
                number(fields.get(SENT_BYTES), "sent_bytes"),
                micros(fields),
                null,
                rejected.contains(status) ? Outcome.LIMITED : Outcome.ALLOWED,
                1,
                identity,
                Map.of());
    }

    private static long time(String text) throws MalformedRecord {
        try {
            long time = Instant.parse(text).toEpochMilli();
            require(time >= 0, "time: before 1970");
            return time;
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new MalformedRecord("time: one such as 2018-07-02T22:23:00.186641Z is expected");
        }
    }

    /** 0 where the client went away before there was one. */
    private static int status(String text) throws MalformedRecord {
        long status = unknown(text) ? 0 : number(text, "elb_status_code");
        return status >= 100 && status <= 599 ? (int) status : 0;
    }

    /** All three durations; -1 says that the load balancer did not get so far. */
    private static long micros(List<String> fields) throws MalformedRecord {
        double seconds = 0;
        for (int i = FIRST_DURATION; i <= LAST_DURATION; i++) {
            String text = fields.get(i);
            require(text.matches("-1|\\d{1,8}(\\.\\d{1,9})?"), "durations: seconds such as 0.001, or -1, are expected");
            seconds += text.equals("-1") ? 0 : Double.parseDouble(text);
        }
        return Math.round(seconds * 1_000_000);
    }

    private static long number(String text, String field) throws MalformedRecord {
        require(text.matches("\\d{1,15}"), field + ": a number is expected");
        return Long.parseLong(text);
    }

    private static boolean unknown(String text) {
        return text.isEmpty() || text.equals("-");
    }

    private static void require(boolean holds, String message) throws MalformedRecord {
        if (!holds) {
            throw new MalformedRecord(message);
        }
    }
}

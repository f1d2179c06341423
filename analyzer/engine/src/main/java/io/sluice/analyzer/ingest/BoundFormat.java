package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Field;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the events of a source to what its settings allow, in whatever format they are: a publisher may accuse only callers of its own
 * service, with the weight of its own requests, and by attributes that no client wrote.
 */
final class BoundFormat implements LogFormat {
    /** The most requests that one entry can stand for when they passed: as for a log that keeps one entry of ten. */
    static final long MOST_PASSED = 10;

    /** The most requests that one entry can stand for when they were rejected: an agent sums up a second of them. */
    static final long MOST_REJECTED = 1_000_000;

    private final LogFormat format;
    private final @Nullable String service;
    private final boolean claimed;

    BoundFormat(LogFormat format, SourceSettings source) {
        this.format = format;
        service = LogSource.fixedService(source.service());
        claimed = source.identity() == Identity.CLAIMED;
    }

    @Override
    public RequestEvent read(byte[] record) throws MalformedRecord {
        RequestEvent event = format.read(record);
        long most = event.rejected() ? MOST_REJECTED : MOST_PASSED;
        if (event.count() > most) {
            throw new MalformedRecord("count: at most " + most + " is allowed for requests that "
                    + (event.rejected() ? "were rejected" : "passed"));
        }
        String named = event.service();
        if (service != null && named != null && !service.equals(named)) {
            throw new MalformedRecord("service: the source is bound to " + service + " by 'service: value:" + service
                    + "', the entry names another one");
        }
        boolean complete = (service == null || named != null) && !(claimed && event.ip() != null);
        return complete ? event : event.from(service == null ? named : service, claimed ? null : event.ip());
    }

    @Override
    public void wanting(Set<Field> fields) {
        Set<Field> all = EnumSet.noneOf(Field.class);
        all.addAll(fields);
        if (service != null) {
            all.add(Field.SERVICE);
        }
        format.wanting(all);
    }

    @Override
    public Identity identity() {
        return format.identity();
    }
}

package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Meaning of the fields of a server's log line in one source: the caller, the service, the labels.
 * The fields of a combined line go by the names of nginx's variables. Immutable.
 */
final class LogSource {
    // the slots of a combined line's fields
    static final int REMOTE_ADDR = 0;
    static final int REMOTE_USER = 1;
    static final int TIME_LOCAL = 2;
    static final int REQUEST = 3;
    static final int STATUS = 4;
    static final int BYTES = 5;
    static final int REFERER = 6;
    static final int USER_AGENT = 7;
    static final int SERVER_NAME = 8;

    private static final int[] NO_SLOTS = {};
    private static final String FIXED = "value:";

    private final List<String> names;
    private final Meaning meaning;
    private final Choice[] callers;
    private final int service;
    private final @Nullable String fixedService;
    private final String[] labels;
    private final int[] labelSlots;
    private final Set<Integer> rejected;
    private final RouteNormalizer routes;
    private final int ipv6Prefix;
    /** A client may have written the address: it is a caller at most, and no attribute. */
    private final boolean claimedAddress;

    private LogSource(
            SourceSettings source, Slots slots, Meaning meaning, Dialect dialect, @Nullable String usualService) {
        this.meaning = meaning;
        List<String> caller =
                source.caller().isEmpty() ? Meaning.names(dialect, source.fields(), "ip") : source.caller();
        callers = caller.stream()
                .map(name -> choice(source, slots, dialect, variable(name)))
                .toArray(Choice[]::new);
        @Nullable String serviceName = source.service() == null ? usualService : source.service();
        fixedService = fixedService(serviceName);
        service = serviceName == null || fixedService != null ? -1 : slots.of("service", variable(serviceName));
        labels = source.labels().keySet().toArray(String[]::new);
        labelSlots = source.labels().values().stream()
                .mapToInt(name -> slots.of("labels", variable(name)))
                .toArray();
        rejected = Set.copyOf(source.rejected());
        routes = new RouteNormalizer(source.routes());
        ipv6Prefix = source.ipv6Prefix();
        claimedAddress = source.identity() == null
                && !dialect.names("ip").containsAll(Meaning.names(dialect, source.fields(), "ip"));
        names = slots.names();
    }

    static LogSource combined(SourceSettings source) {
        if (!source.fields().isEmpty()) {
            throw new IllegalArgumentException("fields: a combined log has no names to map");
        }
        Meaning meaning = new Meaning(
                new int[] {TIME_LOCAL},
                new int[] {REMOTE_ADDR},
                REQUEST,
                NO_SLOTS,
                false,
                NO_SLOTS,
                false,
                new int[] {STATUS},
                new int[] {BYTES},
                NO_SLOTS,
                NO_SLOTS,
                Dialect.NGINX.unit());
        return new LogSource(source, Slots.combined(), meaning, Dialect.NGINX, null);
    }

    static LogSource nginxJson(SourceSettings source) {
        return json(source, Dialect.NGINX, null);
    }

    static LogSource envoyJson(SourceSettings source) {
        return json(source, Dialect.ENVOY, null);
    }

    static LogSource ecs(SourceSettings source) {
        return json(source, Dialect.ECS, "service.name");
    }

    private static LogSource json(SourceSettings source, Dialect dialect, @Nullable String usualService) {
        Slots slots = Slots.open();
        return new LogSource(source, slots, Meaning.of(dialect, source.fields(), slots), dialect, usualService);
    }

    private static Choice choice(SourceSettings source, Slots slots, Dialect dialect, String name) {
        boolean address = dialect.names("ip").contains(name);
        Identity configured = source.identity();
        Identity own = address ? Identity.NETWORK : Identity.CLAIMED;
        boolean forwarded = name.equals(dialect.forwarded());
        return new Choice(slots.of("caller", name), address, forwarded, configured == null ? own : configured);
    }

    /** The name of a field that may be written as nginx's variable. */
    static String variable(String name) {
        return name.startsWith("$") ? name.substring(1) : name;
    }

    /** Returns the constant of {@code value:orders}, or {@code null} when the setting names a field. */
    static @Nullable String fixedService(@Nullable String service) {
        return service != null && service.startsWith(FIXED) ? service.substring(FIXED.length()) : null;
    }

    static void checkLength(byte[] line) throws MalformedRecord {
        if (line.length > BoundedJson.MAX_BYTES) {
            throw new MalformedRecord(line.length + " bytes long, at most " + BoundedJson.MAX_BYTES + " are read");
        }
    }

    /** An empty set of the fields that this source reads. */
    Fields fields() {
        return new Fields(names);
    }

    /** The strongest identity that one of the callers' fields gives. */
    Identity identity() {
        Identity strongest = Identity.CLAIMED;
        for (Choice choice : callers) {
            strongest = choice.identity().compareTo(strongest) < 0 ? choice.identity() : strongest;
        }
        return strongest;
    }

    RequestEvent event(Fields fields) throws MalformedRecord {
        Choice who = caller(fields);
        int status = meaning.status(fields);
        int addressSlot = meaning.address(fields);
        String address = fields.text(addressSlot);
        String ip = address == null ? null : Addresses.canonical(address);
        String caller = ip != null && who.slot() == addressSlot
                ? Addresses.caller(ip, ipv6Prefix)
                : who.caller(fields, ipv6Prefix);
        if (caller == null || caller.isEmpty()) {
            throw new MalformedRecord("caller: empty");
        }
        RequestLine request = meaning.request(fields);
        String path = request.path();
        String own = fields.text(service);
        return new RequestEvent(
                meaning.time(fields),
                caller,
                own == null ? fixedService : own,
                path == null ? null : routes.normalize(path),
                request.method(),
                claimedAddress ? null : ip,
                status,
                meaning.bytes(fields),
                meaning.micros(fields),
                null,
                rejected.contains(status) ? Outcome.LIMITED : Outcome.ALLOWED,
                1,
                who.identity(),
                labels(fields),
                meaning.cost(fields));
    }

    private Choice caller(Fields fields) throws MalformedRecord {
        for (Choice choice : callers) {
            if (fields.present(choice.slot())) {
                return choice;
            }
        }
        throw new MalformedRecord("caller: no " + fields.name(callers[0].slot())
                + (callers.length > 1 ? " and none of the other fields for it" : ""));
    }

    private Map<String, String> labels(Fields fields) {
        if (labels.length == 0) {
            return Map.of();
        }
        Map<String, String> present = new HashMap<>();
        for (int i = 0; i < labels.length; i++) {
            String value = fields.text(labelSlots[i]);
            if (value != null) {
                present.put(labels[i], value);
            }
        }
        return present;
    }
}

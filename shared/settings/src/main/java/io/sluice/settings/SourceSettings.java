package io.sluice.settings;

import io.sluice.contract.event.Identity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One topic of access logs and how to read it.
 *
 * @param topic the topic's whole name
 * @param format such as {@code json} or {@code combined}; the analyzer defines which exist, since formats can be added
 * @param caller where the caller stands, the first that is present; empty: the format's own default
 * @param service a field's name or {@code value:orders}, or {@code null}
 * @param identity how far its callers can be believed, or {@code null} for what follows from {@code caller}
 * @param rejected statuses that mean our own rejection
 * @param fields our name of a field to theirs
 * @param labels a label's name to the field it is taken from
 * @param routes templates tried before a path is normalised
 * @param spread the most partitions that can hold requests of one caller, at least 1, or {@code null} for all of the topic
 * @param mostPerSecond the most requests that each partition may report in a second, at least 1, or {@code null} for any number
 * @param ipv6Prefix leading bits of an IPv6 address that identify a caller, from 1 to 128; the same as at the gates
 */
public record SourceSettings(
        String topic,
        String format,
        List<String> caller,
        @Nullable String service,
        @Nullable Identity identity,
        Set<Integer> rejected,
        Map<String, String> fields,
        Map<String, String> labels,
        List<String> routes,
        @Nullable Integer spread,
        @Nullable Integer mostPerSecond,
        int ipv6Prefix) {

    private static final int USUAL_IPV6_PREFIX = 64;

    /** A source whose callers' requests can lie in every partition, without a bound; IPv6 callers by their /64. */
    public SourceSettings(
            String topic,
            String format,
            List<String> caller,
            @Nullable String service,
            @Nullable Identity identity,
            Set<Integer> rejected,
            Map<String, String> fields,
            Map<String, String> labels,
            List<String> routes) {
        this(topic, format, caller, service, identity, rejected, fields, labels, routes, null, null, USUAL_IPV6_PREFIX);
    }

    /** Returns the most partitions that can hold requests of one caller when the topic has so many. */
    public int spreadOver(int partitions) {
        return spread == null ? partitions : Math.min(spread, partitions);
    }
}

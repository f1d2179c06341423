package io.sluice.contract.event;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a source writes its request events as JSON, and how far it is believed. Start from {@link #OURS}.
 *
 * @param names their name of each of our fields; several names of {@link Field#CALLER}: the first that is present
 * @param labels for each label, the name of a field of theirs beside the {@code labels} object; at most 32
 * @param wanted what to read beyond time, caller, status, outcome, count and identity, which are always read
 * @param rejected statuses that mean a rejection where {@code outcome} is missing
 * @param identity how far the source is believed: the weaker of this and the event's own wins
 * @param service the service of events that name none, or {@code null}
 * @param routes turns a path into a route, except in events of our own writing, which carry the route
 */
public record EventLayout(
        Map<Field, List<String>> names,
        Map<String, String> labels,
        Set<Field> wanted,
        Set<Integer> rejected,
        Identity identity,
        @Nullable String service,
        RouteNormalizer routes) {
    private static final Set<Field> NEEDED =
            EnumSet.of(Field.TIME, Field.CALLER, Field.STATUS, Field.OUTCOME, Field.COUNT, Field.IDENTITY);

    /** Layout of our agents: our own names, believed, 429 means rejected. */
    public static final EventLayout OURS = new EventLayout(
            Map.of(),
            Map.of(),
            EnumSet.allOf(Field.class),
            Set.of(429),
            Identity.AUTHENTICATED,
            null,
            new RouteNormalizer(List.of()));

    /** @throws IllegalArgumentException when a field has no name or more than it can have */
    public EventLayout {
        EnumMap<Field, List<String>> complete = new EnumMap<>(Field.class);
        for (Field field : Field.values()) {
            List<String> theirs = List.copyOf(names.getOrDefault(field, List.of(field.spelling())));
            if (theirs.isEmpty() || theirs.size() > (field == Field.CALLER ? 8 : 1)) {
                throw new IllegalArgumentException(
                        field.spelling() + " must have one name, only caller can have up to 8");
            }
            complete.put(field, theirs);
        }
        if (labels.size() > 32) {
            throw new IllegalArgumentException("at most 32 labels can be mapped");
        }
        EnumSet<Field> all = EnumSet.copyOf(NEEDED);
        all.addAll(wanted);
        names = Map.copyOf(complete);
        labels = Map.copyOf(labels);
        wanted = Set.copyOf(all);
        rejected = Set.copyOf(rejected);
    }

    public EventLayout names(Map<Field, List<String>> names) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }

    public EventLayout labels(Map<String, String> labels) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }

    public EventLayout wanted(Set<Field> wanted) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }

    public EventLayout rejected(Set<Integer> rejected) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }

    public EventLayout identity(Identity identity) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }

    public EventLayout service(@Nullable String service) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }

    public EventLayout routes(RouteNormalizer routes) {
        return new EventLayout(names, labels, wanted, rejected, identity, service, routes);
    }
}

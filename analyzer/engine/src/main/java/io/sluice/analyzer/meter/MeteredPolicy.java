package io.sluice.analyzer.meter;

import io.sluice.analyzer.load.Group;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy as the meter needs it for every event: nothing left to look up. */
final class MeteredPolicy {
    /** A partial leaves early when it holds more than this part of a threshold, for each partition there is. */
    private static final int PARTS = 16;

    private enum Amount {
        REQUESTS,
        BYTES,
        MICROS,
        VALUES
    }

    /** Differs between any two that are in use at the same time. */
    final int number;

    final String revision;
    final List<Group> groups;
    /** For each group, the places of its values in the subject. */
    final int[][] groupPlaces;
    /** An admitted sum over this is heavy. */
    final long mark;

    private final Match match;
    private final Attribute[] per;
    private final Amount amount;
    private final long paneMillis;
    private final boolean accusesByName;
    /** What different values are counted of, if they are. */
    final @Nullable Attribute distinct;
    /** Whether service times are kept beside the amounts. */
    final boolean timed;

    MeteredPolicy(int number, Policy policy, int partitions) {
        this.number = number;
        revision = policy.revision();
        match = policy.match();
        per = policy.per().toArray(Attribute[]::new);
        amount = amount(policy.measure());
        distinct = policy.measure() instanceof Measure.Distinct measure ? measure.attribute() : null;
        timed = policy.timed();
        paneMillis = policy.window().paneMillis();
        groups = Group.all(policy);
        groupPlaces = groups.stream().map(Group::places).toArray(int[][]::new);
        double threshold = Math.max(1, policy.smallestThreshold());
        mark = (long) (threshold * policy.measure().scale() / (PARTS * (double) partitions));
        accusesByName = named(policy.per()) || named(policy.match().attributes());
    }

    private static Amount amount(Measure measure) {
        if (measure instanceof Measure.Bytes) {
            return Amount.BYTES;
        }
        if (measure instanceof Measure.Millis) {
            return Amount.MICROS;
        }
        return measure instanceof Measure.Distinct ? Amount.VALUES : Amount.REQUESTS;
    }

    private static boolean named(Iterable<Attribute> attributes) {
        for (Attribute attribute : attributes) {
            if (attribute.kind() == Attribute.Kind.CALLER || attribute.kind() == Attribute.Kind.LABEL) {
                return true;
            }
        }
        return false;
    }

    /** Whether the event counts at all: it matches, and it has the attribute whose values are counted. */
    boolean matches(RequestEvent event) {
        return match.matches(event) && (distinct == null || distinct.valueOf(event) != null);
    }

    /** Returns whether the event may count against a subject: a claimed identity never does. */
    boolean believes(RequestEvent event) {
        return !accusesByName || event.identity() != Identity.CLAIMED;
    }

    long pane(RequestEvent event) {
        return Math.floorDiv(event.time(), paneMillis);
    }

    long amount(RequestEvent event) {
        return Math.max(
                0,
                switch (amount) {
                    case REQUESTS -> event.count();
                    case BYTES -> event.bytes();
                    case MICROS -> event.micros();
                    case VALUES -> 0;
                });
    }

    int subjectSize() {
        return per.length;
    }

    /** Fills in the event's subject; false when the event lacks one of its values. */
    boolean subject(RequestEvent event, String[] values) {
        for (int i = 0; i < per.length; i++) {
            String value = per[i].valueOf(event);
            if (value == null) {
                return false;
            }
            values[i] = value;
        }
        return true;
    }
}

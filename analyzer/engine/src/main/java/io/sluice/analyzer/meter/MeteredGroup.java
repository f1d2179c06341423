package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Policies that count the same events by the same subjects: what an event means to them is found once. Those of which quiet subjects may be
 * held back are in groups of their own.
 */
final class MeteredGroup {
    private enum Amount {
        REQUESTS,
        BYTES,
        MICROS,
        COST,
        VALUES
    }

    /**
     * The parts of a policy that its group has in common.
     *
     * @param withheld whether quiet subjects are held back
     */
    record Key(Match match, List<Attribute> per, Measure measure, Window window, boolean timed, boolean withheld) {
        static Key of(Policy policy, boolean withheld) {
            return new Key(policy.match(), policy.per(), policy.measure(), policy.window(), policy.timed(), withheld);
        }
    }

    final Key key;
    final MeteredPolicy[] policies;
    /** Of the subjects, those that are held back; {@code null} when none are. */
    final @Nullable Withheld withheld;
    /** The attribute whose distinct values are counted, if they are. */
    final @Nullable Attribute distinct;

    final DistinctHash hash;
    private final Attribute[] per;
    private final Amount amount;
    private final long paneMillis;
    private final boolean accusesByName;

    MeteredGroup(Key key, List<MeteredPolicy> policies, @Nullable Withheld withheld, DistinctHash hash) {
        this.hash = hash;
        this.key = key;
        this.withheld = withheld;
        this.policies = policies.toArray(MeteredPolicy[]::new);
        per = key.per().toArray(Attribute[]::new);
        amount = amount(key.measure());
        distinct = key.measure() instanceof Measure.Distinct measure ? measure.attribute() : null;
        paneMillis = key.window().paneMillis();
        accusesByName = named(key.per()) || named(key.match().attributes());
    }

    private static Amount amount(Measure measure) {
        if (measure instanceof Measure.Bytes) {
            return Amount.BYTES;
        }
        if (measure instanceof Measure.Millis) {
            return Amount.MICROS;
        }
        if (measure instanceof Measure.Cost) {
            return Amount.COST;
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

    /** Returns whether service times are kept beside the amounts. */
    boolean timed() {
        return key.timed();
    }

    /** Returns whether the event counts at all: it matches, and it has the attribute whose values are counted. */
    boolean matches(RequestEvent event) {
        return key.match().matches(event) && (distinct == null || distinct.valueOf(event) != null);
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
                    case COST -> event.cost();
                    case VALUES -> 0;
                });
    }

    /** Returns whether a policy of this revision is among them. */
    boolean counts(String revision) {
        for (MeteredPolicy policy : policies) {
            if (policy.revision.equals(revision)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the sum below which a subject is quiet. */
    long mark(String[] subject) {
        long mark = Long.MAX_VALUE;
        for (MeteredPolicy policy : policies) {
            mark = Math.min(mark, policy.mark(subject));
        }
        return mark;
    }

    /** Returns what is held back of an event: the hash of its value where distinct values are counted, else its amount. */
    long held(RequestEvent event, long amount) {
        String value = distinct == null ? null : distinct.valueOf(event);
        return value == null ? amount : hash.of(value);
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

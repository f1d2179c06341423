package io.sluice.contract.policy;

import io.sluice.contract.event.Field;
import java.util.EnumSet;
import java.util.Set;

/** Which fields of a request event a policy set looks at: what else an event holds need not be read. */
public final class PolicyFields {
    private final Set<Field> fields = EnumSet.noneOf(Field.class);

    private PolicyFields() {}

    /** The fields that counting by these policies needs. */
    public static Set<Field> of(PolicySet set) {
        PolicyFields used = new PolicyFields();
        set.allow().forEach(allow -> used.add(allow.match()));
        set.policies().forEach(used::add);
        return used.fields;
    }

    private void add(Policy policy) {
        add(policy.match());
        policy.per().forEach(this::add);
        policy.overrides().forEach(override -> add(override.match()));
        if (policy.measure() instanceof Measure.Bytes) {
            fields.add(Field.BYTES);
        } else if (policy.measure() instanceof Measure.Millis) {
            fields.add(Field.MILLIS);
        } else if (policy.measure() instanceof Measure.Cost) {
            fields.add(Field.COST);
        } else if (policy.measure() instanceof Measure.Distinct distinct) {
            add(distinct.attribute());
        }
        if (policy.timed()) {
            fields.add(Field.MILLIS);
        }
    }

    private void add(Match match) {
        match.attributes().forEach(this::add);
    }

    private void add(Attribute attribute) {
        fields.add(
                switch (attribute.kind()) {
                    case CALLER -> Field.CALLER;
                    case IP -> Field.IP;
                    case SERVICE -> Field.SERVICE;
                    case ROUTE -> Field.ROUTE;
                    case METHOD -> Field.METHOD;
                    case LABEL -> Field.LABELS;
                    case IDENTITY -> Field.IDENTITY;
                    case STATUS -> Field.STATUS;
                });
    }
}

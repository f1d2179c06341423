package io.sluice.analyzer.api;

import io.sluice.analyzer.Plural;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy and subject of a request, looked up in the policies in force.
 *
 * @param subject as agents spell it
 */
public record Target(PolicySet set, Policy policy, List<String> subject) {
    public Target {
        subject = List.copyOf(subject);
    }

    /** A policy that isn't there, or a subject that it can't have. The message holds what was typed, as it was. */
    public static final class Missing extends Exception {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }

    /**
     * Finds it.
     *
     * @param set what is in force; {@code null} for nothing
     * @param typed a value for each attribute of the policy's {@code per}
     * @throws Missing where it matches no subject
     */
    public static Target in(@Nullable PolicySet set, String policy, List<String> typed) throws Missing {
        List<Policy> policies = set == null ? List.of() : set.policies();
        List<String> names = policies.stream().map(Policy::name).toList();
        if (policy.isBlank()) {
            throw new Missing("no policy is named, such as by an empty variable of a shell"
                    + PolicyLookup.alternatives(policy, names));
        }
        if (set == null || !names.contains(policy)) {
            throw new Missing("no policy " + policy + " is in force" + PolicyLookup.alternatives(policy, names));
        }
        Policy named = policies.get(names.indexOf(policy));
        if (named.per().size() != typed.size()) {
            throw new Missing(policy + " counts per " + named.per() + ": found "
                    + Plural.of(typed.size(), "value") + ", " + named.per().size()
                    + (named.per().size() == 1 ? " is needed" : " are needed"));
        }
        for (int i = 0; i < typed.size(); i++) {
            Attribute attribute = named.per().get(i);
            if (typed.get(i).isEmpty() && neverEmpty(attribute.kind())) {
                throw new Missing(policy + " counts per " + named.per() + ": found nothing for " + attribute
                        + ", such as from an empty variable of a shell");
            }
        }
        return new Target(set, named, TypedSubject.of(named.per(), typed));
    }

    /**
     * Returns this target where a gate can name it.
     *
     * @throws Missing where the policy counts by {@code ip} and the subject has another text there: its lock would close no gate
     */
    public Target lockable() throws Missing {
        for (int i = 0; i < subject.size(); i++) {
            Attribute attribute = policy.per().get(i);
            if (attribute.kind() == Attribute.Kind.IP && !TypedSubject.fits(attribute, subject.get(i))) {
                throw new Missing(policy.name() + " counts per " + policy.per() + ": found " + subject.get(i) + " for "
                        + attribute + ", allowed is " + TypedSubject.allowed(attribute));
            }
        }
        return this;
    }

    private static boolean neverEmpty(Attribute.Kind kind) {
        return kind == Attribute.Kind.CALLER || kind == Attribute.Kind.IP;
    }

    /** Policy and subject, in one line. */
    public String text() {
        return (policy.name() + " " + String.join(" ", subject)).strip();
    }
}

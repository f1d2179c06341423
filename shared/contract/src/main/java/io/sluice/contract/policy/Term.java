package io.sluice.contract.policy;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request attribute with the patterns of which any may match. */
final class Term {
    private final Attribute attribute;
    private final Pattern[] anyOf;

    Term(Attribute attribute, List<Pattern> anyOf) {
        this.attribute = attribute;
        this.anyOf = anyOf.toArray(Pattern[]::new);
    }

    Attribute attribute() {
        return attribute;
    }

    boolean matches(@Nullable String value) {
        if (value == null) {
            return false;
        }
        for (Pattern pattern : anyOf) {
            if (pattern.matches(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether another term asks for the same. */
    boolean equalTo(Term other) {
        return attribute.equals(other.attribute) && spelled().equals(other.spelled());
    }

    /** Returns whether it leaves one value only. */
    boolean exact() {
        return anyOf.length == 1 && anyOf[0].exact();
    }

    /** Returns whether one of the subject's own values matches. A network does when it lies inside as a whole. */
    boolean matchesSubject(List<Attribute> per, List<String> subject) {
        for (int i = 0; i < per.size(); i++) {
            if (attribute.sameField(per.get(i)) && matches(subject.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether none of the subject's own values excludes that requests of the subject match. */
    boolean mayMatchSubject(List<Attribute> per, List<String> subject) {
        for (int i = 0; i < per.size(); i++) {
            Attribute grouping = per.get(i);
            // part of a network may match, where the subject is the whole
            if (attribute.sameField(grouping) && wholeGroups(grouping) && !matches(subject.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a subject of these attributes lies in or out of each of its patterns, whole. */
    boolean decidedBy(List<Attribute> per) {
        List<Attribute> groupings = per.stream().filter(attribute::sameField).toList();
        return !groupings.isEmpty()
                && Arrays.stream(anyOf)
                        .allMatch(pattern -> groupings.stream().anyMatch(grouping -> wholeGroups(pattern, grouping)));
    }

    private boolean wholeGroups(Attribute grouping) {
        return Arrays.stream(anyOf).allMatch(pattern -> wholeGroups(pattern, grouping));
    }

    /** Returns whether a pattern is no network narrower than the attribute's grouping: then a group lies in or out, whole. */
    private static boolean wholeGroups(Pattern pattern, Attribute grouping) {
        return !(pattern instanceof Pattern.Network network)
                || network.cidr().bits() <= (network.cidr().v4() ? grouping.v4bits() : grouping.v6bits());
    }

    List<String> spelled() {
        return Arrays.stream(anyOf).map(Pattern::toString).distinct().sorted().toList();
    }
}

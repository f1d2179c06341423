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

    /** Returns whether each of its networks is at least as wide as the attribute's grouping: then a group lies in or out, whole. */
    boolean wholeGroups(Attribute grouping) {
        return Arrays.stream(anyOf)
                .allMatch(pattern -> !(pattern instanceof Pattern.Network network)
                        || network.cidr().bits() <= (network.cidr().v4() ? grouping.v4bits() : grouping.v6bits()));
    }

    List<String> spelled() {
        return Arrays.stream(anyOf).map(Pattern::toString).distinct().sorted().toList();
    }
}

package io.sluice.contract.policy;

import io.sluice.contract.event.AttributeText;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.Identity;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** One value of a match: exact text, a glob, or a network. Matching takes linear time and allocates nothing. */
sealed interface Pattern {
    int MAX_LENGTH = 128;

    boolean matches(String value);

    /** Returns whether only one value can match. */
    default boolean exact() {
        return false;
    }

    /**
     * Reads a value as it is spelled for this attribute ({@code status} has {@link StatusRange}).
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    static Pattern parse(Attribute attribute, String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("allowed: 1 to " + MAX_LENGTH + " characters");
        }
        return switch (attribute.kind()) {
            case IP -> network(text);
            case IDENTITY -> identity(text);
            case METHOD -> textual(text.toUpperCase(Locale.ROOT), AttributeText::bounded);
            case ROUTE -> textual(text, AttributeText::boundedRoute);
            default -> textual(text, AttributeText::bounded);
        };
    }

    /** @param bounding as requests have their values bounded */
    private static Pattern textual(String text, UnaryOperator<String> bounding) {
        return text.indexOf('*') < 0 ? new Exact(text, bounding.apply(text)) : new Glob(text);
    }

    private static Pattern network(String text) {
        try {
            return new Network(Cidr.parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + "; allowed: an address such as 203.0.113.9 or a network such as 10.0.0.0/8", e);
        }
    }

    private static Pattern identity(String text) {
        if (Arrays.stream(Identity.values())
                .noneMatch(it -> it.name().toLowerCase(Locale.ROOT).equals(text))) {
            throw new IllegalArgumentException("allowed: authenticated, network, claimed");
        }
        return new Exact(text, text);
    }

    /**
     * This value and no other.
     *
     * @param text as it is spelled
     * @param bounded the value as requests have it
     */
    record Exact(String text, String bounded) implements Pattern {
        @Override
        public boolean matches(String value) {
            return bounded.equals(value);
        }

        @Override
        public boolean exact() {
            return true;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Every address of this network. */
    record Network(Cidr cidr) implements Pattern {
        @Override
        public boolean matches(String value) {
            return cidr.contains(value);
        }

        @Override
        public boolean exact() {
            return cidr.single();
        }

        @Override
        public String toString() {
            return cidr.toString();
        }
    }

    /** {@code *} stands for any run of characters, even none. */
    final class Glob implements Pattern {
        private final String text;
        private final String prefix;
        private final String suffix;
        private final Needle[] middle;

        Glob(String text) {
            this.text = text;
            int first = text.indexOf('*');
            int last = text.lastIndexOf('*');
            this.prefix = text.substring(0, first);
            this.suffix = text.substring(last + 1);
            this.middle = Arrays.stream(text.substring(first, last).split("\\*"))
                    .filter(part -> !part.isEmpty())
                    .map(Needle::new)
                    .toArray(Needle[]::new);
        }

        @Override
        public boolean matches(String value) {
            int end = value.length() - suffix.length();
            if (prefix.length() > end || !value.startsWith(prefix) || !value.endsWith(suffix)) {
                return false;
            }
            int at = prefix.length();
            for (Needle needle : middle) {
                at = needle.endIn(value, at, end);
                if (at < 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}

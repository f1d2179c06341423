package io.sluice.analyzer;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.AttributeText;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A subject as somebody typed it, spelt as agents spell it: bounded text, addresses grouped as the policy groups them. */
public final class SubjectArguments {
    private SubjectArguments() {}

    /** One value for each attribute. */
    public static List<String> of(List<Attribute> per, List<String> typed) {
        List<String> subject = new ArrayList<>();
        for (int i = 0; i < typed.size(); i++) {
            String address = per.get(i).toString().startsWith("ip") ? Addresses.canonical(typed.get(i)) : null;
            String grouped = address == null ? null : per.get(i).valueOf(new OnlyAddress(address));
            subject.add(grouped != null ? grouped : AttributeText.bounded(typed.get(i)));
        }
        return subject;
    }

    /** A request of which nothing but its address is known. */
    private record OnlyAddress(String ip) implements RequestAttributes {
        @Override
        public String caller() {
            return ip;
        }

        @Override
        public @Nullable String service() {
            return null;
        }

        @Override
        public @Nullable String route() {
            return null;
        }

        @Override
        public @Nullable String method() {
            return null;
        }

        @Override
        public @Nullable String label(String name) {
            return null;
        }

        @Override
        public Identity identity() {
            return Identity.NETWORK;
        }
    }
}

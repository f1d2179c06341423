package io.sluice.analyzer.api;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.AttributeText;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts a typed subject to the form of agents: bounded text, addresses grouped as in the policy. */
public final class TypedSubject {
    private TypedSubject() {}

    /** Returns whether a single value can be one of this attribute: of a caller any text, of an address only an address or its network. */
    static boolean fits(Attribute attribute, String typed) {
        return attribute.kind() == Attribute.Kind.CALLER
                || (attribute.kind() == Attribute.Kind.IP && address(attribute, typed) != null);
    }

    /**
     * Returns an address, or a network of the length that the attribute groups by, as its subjects spell it; {@code null} for any other text, which
     * no subject has.
     *
     * @param ip of {@link Attribute.Kind#IP}
     */
    private static @Nullable String address(Attribute ip, String typed) {
        int slash = typed.indexOf('/');
        String address = Addresses.canonical(slash < 0 ? typed : typed.substring(0, slash));
        String grouped = address == null ? null : ip.valueOf(new OnlyAddress(address));
        return grouped == null || slash < 0 || grouped.endsWith(typed.substring(slash)) ? grouped : null;
    }

    /** Returns what {@link #fits} allows for an attribute of addresses, for messages. */
    static String allowed(Attribute ip) {
        String v4 = ip.v4bits() < 32 ? "/" + ip.v4bits() + " (IPv4)" : "";
        String v6 = ip.v6bits() < 128 ? "/" + ip.v6bits() + " (IPv6)" : "";
        String networks = v4 + (v4.isEmpty() || v6.isEmpty() ? "" : " or ") + v6;
        return "an address" + (networks.isEmpty() ? "" : ", or a network of " + networks);
    }

    /**
     * Returns the network by which gates and access logs name an IPv6 address as a caller; {@code null} for any other text.
     *
     * @param ipv6Prefix leading bits that identify a caller, 1 to 128
     */
    public static @Nullable String network(String typed, int ipv6Prefix) {
        String address = Addresses.canonical(typed);
        String network = address == null ? null : Addresses.caller(address, ipv6Prefix);
        return network == null || network.equals(address) ? null : network;
    }

    /**
     * Returns the same network for the caller of a subject; {@code null} where it has none.
     *
     * @param typed as many as {@code per} has
     */
    static @Nullable String network(List<Attribute> per, List<String> typed, int ipv6Prefix) {
        for (int i = 0; i < per.size(); i++) {
            if (per.get(i).kind() == Attribute.Kind.CALLER) {
                return network(typed.get(i), ipv6Prefix);
            }
        }
        return null;
    }

    /** @param typed as many as {@code per} has */
    public static List<String> of(List<Attribute> per, List<String> typed) {
        List<String> subject = new ArrayList<>();
        for (int i = 0; i < typed.size(); i++) {
            String address = per.get(i).kind() == Attribute.Kind.IP ? address(per.get(i), typed.get(i)) : null;
            subject.add(address != null ? address : AttributeText.bounded(typed.get(i)));
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

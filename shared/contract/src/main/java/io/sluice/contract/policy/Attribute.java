package io.sluice.contract.policy;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.event.RequestEvent;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something known of a request, by which policies count and match.
 *
 * @param name the label's name for {@link Kind#LABEL}, else empty
 * @param bits for {@link Kind#IP}: 1 to 128, or 0 for a bare {@code ip}. Up to 32 it is an IPv4 prefix and IPv6 stays at
 *     /64; above it is an IPv6 prefix and IPv4 stays whole: one number can't fit both
 */
public record Attribute(Kind kind, String name, int bits) {

    /** Kinds of attributes. */
    public enum Kind {
        CALLER,
        IP,
        SERVICE,
        ROUTE,
        METHOD,
        LABEL,
        IDENTITY,
        STATUS
    }

    /** The spellings, for error messages. */
    public static final String ALLOWED = "caller, ip, ip/N, service, route, method, labels.NAME, identity, status";

    static final Attribute STATUS = new Attribute(Kind.STATUS, "", 0);

    private static final String LABELS = "labels.";
    // providers assign a /64 at least to a customer, and customers rarely share one
    private static final int DEFAULT_V6_BITS = 64;
    private static final int MAX_LABEL = 64;

    /**
     * Reads {@code caller}, {@code ip}, {@code ip/24}, {@code service}, {@code route}, {@code method},
     * {@code labels.plan}, {@code identity} or {@code status}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    public static Attribute parse(String text) {
        if (text.startsWith(LABELS) && isLabel(text, LABELS.length())) {
            return new Attribute(Kind.LABEL, text.substring(LABELS.length()), 0);
        }
        if (text.startsWith("ip/")) {
            return new Attribute(Kind.IP, "", bits(text));
        }
        for (Kind kind : Kind.values()) {
            if (kind != Kind.LABEL && kind.name().toLowerCase(Locale.ROOT).equals(text)) {
                return new Attribute(kind, "", 0);
            }
        }
        throw new IllegalArgumentException("allowed: " + ALLOWED);
    }

    private static boolean isLabel(String text, int from) {
        if (text.length() == from || text.length() - from > MAX_LABEL) {
            return false;
        }
        return text.chars().skip(from).allMatch(c -> Character.isLetterOrDigit(c) || "_-.".indexOf(c) >= 0);
    }

    private static int bits(String text) {
        String number = text.substring("ip/".length());
        int bits = number.matches("[0-9]{1,3}") ? Integer.parseInt(number) : 0;
        if (bits < 1 || bits > 128) {
            throw new IllegalArgumentException(
                    "allowed: ip/1 to ip/32 for IPv4 (IPv6 stays /64), ip/33 to ip/128 for IPv6 (IPv4 stays /32)");
        }
        return bits;
    }

    /** Returns whether it is known before the response is; false for {@code status}. */
    public boolean request() {
        return kind != Kind.STATUS;
    }

    /** How many leading bits of an IPv4 address count. */
    public int v4bits() {
        return bits == 0 || bits > 32 ? 32 : bits;
    }

    /** How many leading bits of an IPv6 address count. */
    public int v6bits() {
        return bits > 32 ? bits : DEFAULT_V6_BITS;
    }

    /**
     * Its value as part of a subject: for {@code ip} a whole IPv4 address, or a network in CIDR text.
     *
     * @return {@code null} when the request lacks it, and for {@code status}
     */
    public @Nullable String valueOf(RequestAttributes request) {
        if (kind == Kind.IP) {
            String ip = request.ip();
            return ip == null ? null : Addresses.prefix(ip, v4bits(), v6bits());
        }
        return rawValueOf(request);
    }

    /**
     * Its value where different values of events are counted: as part of a subject, and the number of {@code status}.
     *
     * @return {@code null} when the event lacks it
     */
    public @Nullable String countedValueOf(RequestEvent event) {
        if (kind == Kind.STATUS) {
            return event.status() == 0 ? null : Integer.toString(event.status());
        }
        return valueOf(event);
    }

    /** Its value as it is matched: for {@code ip} the whole address. */
    @Nullable
    String rawValueOf(RequestAttributes request) {
        return switch (kind) {
            case CALLER -> request.caller();
            case IP -> request.ip();
            case SERVICE -> request.service();
            case ROUTE -> request.route();
            case METHOD -> request.method();
            case LABEL -> request.label(name);
            case IDENTITY -> identityText(request.identity());
            case STATUS -> null;
        };
    }

    private static String identityText(Identity identity) {
        return switch (identity) {
            case AUTHENTICATED -> "authenticated";
            case NETWORK -> "network";
            case CLAIMED -> "claimed";
        };
    }

    /** Its spelling in a policy file. */
    @Override
    public String toString() {
        return switch (kind) {
            case LABEL -> LABELS + name;
            case IP -> bits == 0 ? "ip" : "ip/" + bits;
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }

    /** Returns whether a subject of these attributes decides its value: it is one of them, or a network around one. */
    boolean decidedBy(List<Attribute> per) {
        // of several networks, one may be the narrower for IPv4 and another for IPv6
        return per.stream().anyMatch(it -> sameField(it) && v4bits() <= it.v4bits())
                && per.stream().anyMatch(it -> sameField(it) && v6bits() <= it.v6bits());
    }

    /** Returns whether both read the same field of a request, whatever networks they group addresses by. */
    boolean sameField(Attribute other) {
        return kind == other.kind && name.equals(other.name);
    }
}

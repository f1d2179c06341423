package io.sluice.contract.pseudonym;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.secret.KeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of pseudonyms: the one in use, and the one before while keys are rotated. Immutable and thread-safe.
 */
public final class Pseudonyms {
    /** No keys: everything stays as it is. */
    public static final Pseudonyms NONE = new Pseudonyms(List.of());

    private static final String NETWORK = "/64";

    private final List<PseudonymKey> keys;

    private Pseudonyms(List<PseudonymKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads a {@link KeyFile}.
     *
     * @throws IOException when it cannot be read or has errors
     */
    public static Pseudonyms read(Path file) throws IOException {
        return new Pseudonyms(KeyFile.read(file).stream().map(PseudonymKey::new).toList());
    }

    /** Returns all keys, the one in use first; empty for {@link #NONE}. */
    public List<PseudonymKey> keys() {
        return keys;
    }

    /** Returns the key in use, {@code null} for {@link #NONE}. */
    public @Nullable PseudonymKey current() {
        return keys.isEmpty() ? null : keys.get(0);
    }

    /** Returns the key before, {@code null} when keys are not being rotated. */
    public @Nullable PseudonymKey former() {
        return keys.size() < KeyFile.MAX_KEYS ? null : keys.get(1);
    }

    /**
     * Returns a value as agents with these keys write it, under each key: one for each, or the value itself where it stays. A value that is a
     * pseudonym already stays as well.
     */
    public List<String> of(Attribute attribute, String value) {
        if (keys.isEmpty()) {
            return List.of(value);
        }
        if (attribute.kind() == Attribute.Kind.CALLER && !isCaller(value)) {
            return keys.stream().map(key -> key.caller(value)).distinct().toList();
        }
        boolean address = attribute.kind() == Attribute.Kind.IP && !PseudonymKey.isIp(value);
        return address ? keys.stream().map(key -> ip(key, value)).distinct().toList() : List.of(value);
    }

    /** Returns the pseudonym of an address or of an IPv6 network of one caller; other text stays. */
    private static String ip(PseudonymKey key, String value) {
        boolean network = value.endsWith(NETWORK);
        String ip = Addresses.canonical(network ? value.substring(0, value.length() - NETWORK.length()) : value);
        if (ip == null) {
            return value;
        }
        return network ? PseudonymKey.network(key.ip(ip)) : key.ip(ip);
    }

    /** Returns whether a caller in a log hides who it is: a pseudonym, or {@code unknown}; true for all callers without keys. */
    public boolean hides(String caller) {
        return keys.isEmpty() || isCaller(caller) || keys.get(0).caller(caller).equals(caller);
    }

    private boolean isCaller(String text) {
        return keys.stream().anyMatch(key -> key.isCaller(text));
    }

    /** Returns the ids of the keys only. */
    @Override
    public String toString() {
        return keys.toString();
    }
}

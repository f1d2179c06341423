package io.sluice.contract.pseudonym;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.policy.Attribute;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys of pseudonyms: the one in use, and the one before while keys are rotated. Immutable and thread-safe.
 *
 * <p>They are read from a file with one line {@code ID: KEY} for each key, the one in use first. ID has 1 to 8 lower-case letters or digits, KEY is
 * Base64 of 32 bytes or more, such as {@code openssl rand -base64 32} prints. Empty lines and lines with {@code #} are passed over.
 */
public final class Pseudonyms {
    /** No keys: everything stays as it is. */
    public static final Pseudonyms NONE = new Pseudonyms(List.of());

    private static final int MAX_KEYS = 2;
    private static final int MAX_FILE_BYTES = 4096;
    private static final String NETWORK = "/64";
    private static final Pattern LINE = Pattern.compile("([a-z0-9]{1,8})\\s*:\\s*(\\S+)");

    private final List<PseudonymKey> keys;

    private Pseudonyms(List<PseudonymKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads a file of keys.
     *
     * @throws IOException when it cannot be read or has errors, with the file, the line and what is allowed, never with a key
     */
    public static Pseudonyms read(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + ": found " + Files.size(file) + " bytes, allowed are " + MAX_FILE_BYTES);
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IOException(file + ": is not text in UTF-8", e);
        }
        List<PseudonymKey> keys = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                PseudonymKey key = key(line, file + ":" + (i + 1));
                if (keys.stream().anyMatch(known -> known.id().equals(key.id()))) {
                    throw new IOException(file + ":" + (i + 1) + ": key " + key.id() + " stands there twice");
                }
                keys.add(key);
            }
        }
        if (keys.isEmpty() || keys.size() > MAX_KEYS) {
            throw new IOException(
                    file + ": found " + keys.size() + " keys, allowed are one, or the new one and the one before");
        }
        return new Pseudonyms(keys);
    }

    private static PseudonymKey key(String line, String place) throws IOException {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IOException(
                    place + ": allowed is ID: KEY, with 1 to 8 lower-case letters or digits and Base64, such as k1: and"
                            + " the output of 'openssl rand -base64 32'");
        }
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(matcher.group(2));
        } catch (IllegalArgumentException e) {
            // its message may quote the key
            throw new IOException(place + ": the key is not Base64");
        }
        if (secret.length < PseudonymKey.MIN_BYTES) {
            throw new IOException(place + ": the key has " + secret.length + " bytes, allowed are "
                    + PseudonymKey.MIN_BYTES + " or more");
        }
        return new PseudonymKey(matcher.group(1), secret);
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
        return keys.size() < MAX_KEYS ? null : keys.get(1);
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
        return network ? Addresses.prefix(key.ip(ip), Integer.SIZE, PseudonymKey.NETWORK_BITS) : key.ip(ip);
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

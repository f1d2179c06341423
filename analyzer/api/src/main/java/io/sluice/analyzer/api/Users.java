package io.sluice.analyzer.api;

import io.sluice.settings.FileErrors;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Users with tokens: the holders of the common token, and those of {@code http.users-file}, which has a line {@code NAME ROLE TOKEN} for each.
 * Empty lines and lines with {@code #} are skipped. Immutable and thread-safe.
 */
final class Users {
    private static final int MOST = 1_000;
    private static final int LONGEST_FILE = 256 << 10;

    private final List<Entry> entries;

    /**
     * A user and the digest of its token.
     *
     * @param fingerprint changes with the token and the role, and ends sessions with them; no secret
     */
    @SuppressWarnings("ArrayRecordComponent") // entries are not compared
    record Entry(User user, byte[] digest, String fingerprint) {
        static Entry of(User user, String token) {
            byte[] digest = sha256(token);
            byte[] both = sha256(user.role() + " " + HexFormat.of().formatHex(digest));
            return new Entry(user, digest, HexFormat.of().formatHex(both, 0, 8));
        }
    }

    private Users(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** @param token the common token, {@code null} for none: then there are no users */
    static Users of(@Nullable String token) {
        return new Users(token == null ? List.of() : List.of(Entry.of(User.COMMON, token)));
    }

    /**
     * Reads a file of users.
     *
     * @throws IOException when it cannot be read or has errors, with the file, the line and what is allowed, never with a token
     */
    static Users of(@Nullable String token, @Nullable Path file) throws IOException {
        if (token == null || file == null) {
            return of(token);
        }
        long length;
        List<String> lines;
        try {
            length = Files.size(file);
            lines = length > LONGEST_FILE ? List.of() : Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IOException("http.users-file: " + file + ": is not text in UTF-8", e);
        } catch (IOException e) {
            throw new IOException("http.users-file: " + FileErrors.message(file, e), e);
        }
        if (length > LONGEST_FILE) {
            throw new IOException(
                    "http.users-file: " + file + ": found " + length + " bytes, allowed are " + LONGEST_FILE);
        }
        List<Entry> entries = new ArrayList<>(of(token).entries);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                add(entry(line, file + ":" + (i + 1)), entries, file + ":" + (i + 1));
            }
        }
        return new Users(entries);
    }

    private static void add(Entry entry, List<Entry> entries, String place) throws IOException {
        for (Entry other : entries) {
            if (other.user.name().equals(entry.user.name())) {
                throw new IOException("http.users-file: " + place + ": user " + entry.user.name() + " is there twice");
            }
            if (MessageDigest.isEqual(other.digest, entry.digest)) {
                throw new IOException("http.users-file: " + place + ": user " + entry.user.name()
                        + " has the token of another user; each needs its own");
            }
        }
        if (entries.size() > MOST) {
            throw new IOException("http.users-file: " + place + ": more than " + MOST + " users");
        }
        entries.add(entry);
    }

    private static Entry entry(String line, String place) throws IOException {
        String[] parts = line.strip().split("\\s+", -1);
        if (parts.length != 3) {
            throw new IOException("http.users-file: " + place + ": found " + parts.length
                    + " parts, allowed is NAME ROLE TOKEN, such as: ann operate 'output of openssl rand -hex 32'");
        }
        if (!User.NAME.matcher(parts[0]).matches()) {
            throw new IOException("http.users-file: " + place
                    + ": the name is malformed, allowed are 1 to 64 of A-Z a-z 0-9 . _ @ + -");
        }
        AccessRole role = AccessRole.spelt(parts[1])
                .orElseThrow(() -> new IOException("http.users-file: " + place + ": unknown role of user " + parts[0]
                        + ", allowed is " + String.join(", ", AccessRole.spellings())));
        if (!TokenFile.sendable(parts[2])) {
            throw new IOException("http.users-file: " + place + ": the token of " + parts[0]
                    + " has characters outside ASCII, which no header carries");
        }
        if (parts[2].length() < TokenFile.SHORTEST) {
            throw new IOException("http.users-file: " + place + ": the token of " + parts[0] + " has "
                    + parts[2].length() + " characters; a token needs " + TokenFile.SHORTEST
                    + " or more, such as 'openssl rand -hex 32' makes");
        }
        return Entry.of(new User(parts[0], role), parts[2]);
    }

    /** Returns whether there are any. */
    boolean any() {
        return !entries.isEmpty();
    }

    /** Returns the user of a token, in a time that does not depend on it. */
    Optional<Entry> byToken(String token) {
        byte[] digest = sha256(token);
        Entry found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.digest, digest)) {
                found = entry;
            }
        }
        return Optional.ofNullable(found);
    }

    /** Returns the user of a name, which is empty for the common token. */
    Optional<Entry> byName(String name) {
        return entries.stream().filter(entry -> entry.user.name().equals(name)).findFirst();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

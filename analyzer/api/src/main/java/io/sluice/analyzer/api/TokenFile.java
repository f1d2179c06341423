package io.sluice.analyzer.api;

import io.sluice.settings.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A file with one token, which clients send in a header. */
public final class TokenFile {
    /** Fewest characters of a token. */
    static final int SHORTEST = 16;

    private static final Pattern VISIBLE_ASCII = Pattern.compile("[!-~]*");

    private TokenFile() {}

    /**
     * Reads a token, without the blank space around it.
     *
     * @param key the setting or option that names the file
     * @throws IOException when the file can't be read, is empty, or holds something else than one token of visible ASCII characters; it names
     *     the key and the file, and nothing of the content
     */
    public static String read(Path file, String key) throws IOException {
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException(key + ": " + FileErrors.message(file, e), e);
        }
        if (token.isEmpty()) {
            throw new IOException(key + ": " + file + " is empty");
        }
        if (!sendable(token)) {
            throw new IOException(key + ": " + file
                    + " holds more than a token: found blanks, line breaks or characters outside ASCII, allowed is one token,"
                    + " such as 'openssl rand -hex 32' makes");
        }
        return token;
    }

    /** Returns whether a header can carry the token. */
    static boolean sendable(String token) {
        return VISIBLE_ASCII.matcher(token).matches();
    }
}

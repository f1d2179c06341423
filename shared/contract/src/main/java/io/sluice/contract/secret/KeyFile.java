package io.sluice.contract.secret;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file with one line {@code ID: KEY} for each key, the one in use first, and the one before while keys are rotated. ID has 1 to 8 lower-case letters
 * or digits, KEY is Base64 of 32 bytes or more, such as {@code openssl rand -base64 32} prints. Empty lines and lines with {@code #} are passed
 * over.
 */
public final class KeyFile {
    /** Most keys of a file. */
    public static final int MAX_KEYS = 2;

    private static final int MAX_FILE_BYTES = 4096;
    private static final int MIN_KEY_BYTES = 32;
    private static final Pattern LINE = Pattern.compile("([a-z0-9]{1,8})\\s*:\\s*(\\S+)");

    private KeyFile() {}

    /**
     * Reads it.
     *
     * @return one key or {@value #MAX_KEYS}
     * @throws IOException when it cannot be read or has errors, with the file, the line and what is allowed, never with a key
     */
    public static List<HmacKey> read(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + ": found " + Files.size(file) + " bytes, allowed are " + MAX_FILE_BYTES);
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IOException(file + ": is not text in UTF-8", e);
        }
        List<HmacKey> keys = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                HmacKey key = key(line, file + ":" + (i + 1));
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
        return List.copyOf(keys);
    }

    private static HmacKey key(String line, String place) throws IOException {
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
        if (secret.length < MIN_KEY_BYTES) {
            throw new IOException(
                    place + ": the key has " + secret.length + " bytes, allowed are " + MIN_KEY_BYTES + " or more");
        }
        return new HmacKey(matcher.group(1), secret);
    }
}

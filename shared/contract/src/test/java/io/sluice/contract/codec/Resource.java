package io.sluice.contract.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/** Bytes that were written once and are never written again. */
final class Resource {
    private Resource() {}

    static byte[] bytes(String name) {
        try (InputStream in = Objects.requireNonNull(Resource.class.getResourceAsStream("/codecs/" + name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes that a file spells in hexadecimal digits, with white space anywhere. */
    static byte[] hex(String name) {
        return HexFormat.of().parseHex(new String(bytes(name), StandardCharsets.UTF_8).replaceAll("\\s", ""));
    }
}

package io.sluice.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and private keys in PEM files (RFC 7468). */
final class PemFile {
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private record Block(String label, String base64) {}

    private PemFile() {}

    /**
     * Reads all certificates of a file, in its order.
     *
     * @throws IOException naming the file and what is wrong with it
     */
    static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(file)) {
            if (block.label.equals("CERTIFICATE")) {
                certificates.add(certificate(file, content(file, block)));
            }
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + ": found no CERTIFICATE, allowed is a PEM file with one or more");
        }
        return certificates;
    }

    private static X509Certificate certificate(Path file, byte[] content) throws IOException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content));
        } catch (CertificateException e) {
            throw new IOException(file + ": found a CERTIFICATE that cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the private key of a file: RSA, EC or EdDSA in PKCS #8, not encrypted.
     *
     * @throws IOException naming the file and what is wrong with it; nothing of the key is in the message
     */
    static PrivateKey privateKey(Path file) throws IOException {
        String found = "no PRIVATE KEY";
        for (Block block : blocks(file)) {
            if (block.label.equals("PRIVATE KEY")) {
                return privateKey(file, content(file, block));
            }
            if (block.label.endsWith("PRIVATE KEY")) {
                found = block.label;
            }
        }
        throw new IOException(file + ": found " + found + ", allowed is a PRIVATE KEY in PKCS #8 that is not encrypted;"
                + " 'openssl pkcs8 -topk8 -nocrypt' converts others");
    }

    private static PrivateKey privateKey(Path file, byte[] content) throws IOException {
        GeneralSecurityException failure = null;
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(content));
            } catch (GeneralSecurityException e) {
                // another algorithm's, or none's
                failure = e;
            }
        }
        throw new IOException(
                file + ": found a PRIVATE KEY that cannot be read, allowed are RSA, EC and EdDSA", failure);
    }

    private static List<Block> blocks(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + ": found more than " + MOST_BYTES + " bytes, allowed is a PEM file");
        }
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        while (block.find()) {
            blocks.add(new Block(block.group(1), block.group(2)));
        }
        return blocks;
    }

    private static byte[] content(Path file, Block block) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(block.base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": found a " + block.label + " that is no base64", e);
        }
    }
}

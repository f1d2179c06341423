package io.sluice.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate for localhost that is its own authority, and its key, in PEM files.
 *
 * @param certificate trusted by clients that trust this file
 */
public record TestCertificate(Path certificate, Path key) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** Makes one with the JDK's keytool, for 127.0.0.1, ::1 and localhost. */
    public static TestCertificate create(Path folder, String name) throws IOException, InterruptedException {
        return create(folder, name, "SAN=ip:127.0.0.1,ip:::1,dns:localhost");
    }

    /** @param names an extension of keytool's, such as {@code SAN=dns:localhost} */
    public static TestCertificate create(Path folder, String name, String names)
            throws IOException, InterruptedException {
        Path store = folder.resolve(name + ".p12");
        Path output = folder.resolve(name + ".keytool");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        // it lives for less than a second
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        names,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException(Files.readString(output));
        }
        try (InputStream stored = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(stored, PASSWORD);
            return new TestCertificate(
                    pem(
                            folder.resolve(name + ".crt"),
                            "CERTIFICATE",
                            keys.getCertificate("own").getEncoded()),
                    pem(
                            folder.resolve(name + ".key"),
                            "PRIVATE KEY",
                            keys.getKey("own", PASSWORD).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static Path pem(Path file, String label, byte[] content) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END "
                        + label + "-----\n");
    }
}

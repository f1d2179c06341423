package io.sluice.settings;

import io.sluice.contract.event.Cidr;
import java.nio.file.Path;
import java.util.List;

/** Reads {@code http.proxy}. */
final class ProxyReader {
    private static final String TRUSTED = "http.proxy.trusted";
    private static final String SECRET = "http.proxy.secret-file";

    private static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1"));

    private final Values values;
    private final List<String> warnings;

    ProxyReader(Values values, List<String> warnings) {
        this.values = values;
        this.warnings = warnings;
    }

    /** @param token whether there is a common token, which signs the CSRF tokens of the proxy's users */
    ProxySettings read(boolean token) {
        List<Cidr> trusted = values.networks(TRUSTED);
        Path secret = values.path(SECRET);
        if (secret != null) {
            SecretFiles.warning(SECRET, secret).ifPresent(warnings::add);
        }
        if (!trusted.isEmpty() && !token) {
            values.problem(TRUSTED, text(trusted), "nothing without http.token-file, which signs CSRF tokens");
        }
        if (secret == null && trusted.stream().anyMatch(ProxyReader::hasLoopback)) {
            values.problem(
                    TRUSTED,
                    text(trusted),
                    "a loopback address only with " + SECRET + ": every program of the machine can send from there");
        }
        return new ProxySettings(trusted, secret, header("http.proxy.user-header"), header("http.proxy.groups-header"));
    }

    private static boolean hasLoopback(Cidr network) {
        return LOOPBACK.stream()
                .anyMatch(loopback -> loopback.contains(network.toString()) || network.contains(loopback.toString()));
    }

    private String header(String key) {
        String name = values.text(key);
        if (!name.matches("[A-Za-z0-9-]{1,64}")) {
            values.problem(key, name, "the name of a header");
        }
        return name;
    }

    private static String text(List<Cidr> networks) {
        return String.join(", ", networks.stream().map(Cidr::toString).toList());
    }
}

package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.Cidr;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys below {@code http}, and the combinations that are unsafe. */
class HttpSettingsTest extends SettingsFixture {
    @Test
    void theApiTakesATokenAndFurtherNames() throws Exception {
        HttpSettings http = read("http: { port: 8490, token-file: token, writes: true, allowed-hosts: [ops.example] }")
                .http();

        assertThat(http).isEqualTo(new HttpSettings("127.0.0.1", 8490, Path.of("token"), true, List.of("ops.example")));
    }

    @Test
    void http_usersAndProxy_areRead() throws Exception {
        HttpSettings http = read("http: { token-file: token, users-file: users,"
                        + " proxy: { trusted: [10.0.0.5, 10.1.0.0/16], user-header: X-User, groups-header: X-Roles } }")
                .http();

        assertThat(http.usersFile()).isEqualTo(Path.of("users"));
        assertThat(http.proxy())
                .isEqualTo(new ProxySettings(
                        List.of(Cidr.parse("10.0.0.5"), Cidr.parse("10.1.0.0/16")), null, "X-User", "X-Roles"));
        assertThat(read("http: { token-file: token, proxy: { trusted: ['127.0.0.1'], secret-file: secret } }")
                        .http()
                        .proxy()
                        .secretFile())
                .isEqualTo(Path.of("secret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users-file: users | http.users-file: found users, allowed is no file without http.token-file, which signs cookies",
                "proxy: { trusted: [10.0.0.5] } | http.proxy.trusted: found 10.0.0.5, allowed is nothing without http.token-file, which signs CSRF tokens",
                "token-file: t, proxy: { trusted: [10.0.0.5/8] } | http.proxy.trusted: found 10.0.0.5/8, allowed is an address or network such as 10.0.0.0/8; bits are set behind the first 8; the network is 10.0.0.0/8",
                "token-file: t, proxy: { trusted: ['127.0.0.2'] } | http.proxy.trusted: found 127.0.0.2, allowed is a loopback address only with http.proxy.secret-file: every program of the machine can send from there",
                "token-file: t, proxy: { trusted: ['0.0.0.0/0'] } | http.proxy.trusted: found 0.0.0.0/0, allowed is a loopback address only with http.proxy.secret-file: every program of the machine can send from there",
                "token-file: t, proxy: { user-header: 'X User' } | http.proxy.user-header: found X User, allowed is the name of a header"
            })
    void http_unsafeUsersOrProxy_areRefused(String http, String problem) {
        assertThat(problems("http: { " + http + " }"))
                .singleElement()
                .asString()
                .endsWith(problem);
    }

    @Test
    void allowedHosts_namesAndAddresses_areReadAsAHostHasThem() throws Exception {
        HttpSettings http = read("http: { allowed-hosts: [sluice.internal, 10.0.0.5, 'FD00::0:5', '[::1]', my_host] }")
                .http();

        assertThat(http.allowedHosts()).containsExactly("sluice.internal", "10.0.0.5", "[fd00::5]", "[::1]", "my_host");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sluice.internal:8443",
                "https://sluice.internal",
                "sluice.internal/",
                "10.0.0.5:8443",
                "[::1]:8480",
                "fd00:8443",
                "::ffff:10.0.0.5",
                "*.internal",
                "one two",
                "[sluice]",
                "[]"
            })
    void allowedHosts_thatNoHostCanBe_areRefused(String host) {
        assertThat(problems("http: { allowed-hosts: [a, '" + host + "'] }"))
                .singleElement()
                .asString()
                .matches("(?s)\\S+:1: .*")
                .endsWith("http.allowed-hosts: found " + host
                        + ", allowed is a name or an address without scheme, port and"
                        + " path, such as sluice.internal or fd00::5");
    }

    @Test
    void nothingIsWrittenWithoutAToken() throws Exception {
        assertThat(read("http: { writes: false }").http().writes()).isFalse();
        assertThat(problems("http: { writes: true }"))
                .singleElement()
                .asString()
                .endsWith("http.writes: found true, allowed is false without http.token-file: nothing is changed"
                        + " without a token");
    }
}

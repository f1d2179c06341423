package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.Request;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.SluiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderReaderTest {
    private static final String PROXY = "127.0.0.1";

    @TempDir
    Path folder;

    @Test
    void givenEverythingSaidWhenReadThenTheRequestIsThat() throws Exception {
        Check check = reader("identity: authenticated")
                .check(
                        PROXY,
                        headers(
                                "X-Sluice-Caller: acme",
                                "X-Sluice-Service: billing",
                                "x-sluice-label-Plan: gold",
                                "X-Original-URI: /orders/4711?token=secret",
                                "X-Original-Method: post",
                                "X-Forwarded-For: 203.0.113.9"));

        Request request = check.request();
        assertThat(request.caller()).isEqualTo("acme");
        assertThat(request.identity()).isEqualTo(Identity.AUTHENTICATED);
        assertThat(request.service()).isEqualTo("billing");
        assertThat(request.route()).isEqualTo("/orders/{id}");
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.ip()).isEqualTo("203.0.113.9");
        assertThat(request.labels()).containsExactly(Map.entry("plan", "gold"));
        assertThat(check.logged()).isTrue();
    }

    @Test
    void givenOnlyACallerWhenReadThenItIsClaimedAndTheServiceIsTheAgents() throws Exception {
        Request request =
                reader("").check(PROXY, headers("X-Sluice-Caller: acme")).request();

        assertThat(request.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(request.service()).isEqualTo("orders");
        assertThat(request.route()).isNull();
        assertThat(request.method()).isNull();
        // the proxy's own address is not the caller's
        assertThat(request.ip()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        // a client of a loopback port is our proxy
        "127.0.0.1, 203.0.113.9, 203.0.113.9",
        "127.0.0.1, '6.6.6.6, 203.0.113.9', 203.0.113.9",
        "10.0.0.7, '203.0.113.9, 10.0.0.8', 203.0.113.9",
        // a client that is no proxy of ours sends for itself
        "192.0.2.1, 203.0.113.9, 192.0.2.1",
        "192.0.2.1, , 192.0.2.1",
    })
    void givenNoNameWhenReadThenTheCallerIsTheAddressThatProxiesVouchFor(String peer, String forwarded, String caller)
            throws Exception {
        HttpFields headers = forwarded == null ? HttpFields.EMPTY : headers("X-Forwarded-For: " + forwarded);

        Request request =
                reader("trusted-proxies: [10.0.0.0/8]").check(peer, headers).request();

        assertThat(request.caller()).isEqualTo(caller);
        assertThat(request.identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void blankForwardedFor_isNoAddress_andTheProxyIsNotCharged() throws Exception {
        Request blank = reader("")
                .check(PROXY, headers("X-Sluice-Caller: acme", "X-Forwarded-For:"))
                .request();
        Request twoLines = reader("")
                .check(PROXY, headers("X-Forwarded-For: 203.0.113.9", "X-Forwarded-For:"))
                .request();

        assertThat(blank.ip()).isNull();
        assertThat(twoLines.ip()).isEqualTo("203.0.113.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "unknown, 10.1.2.3", "203.0.113.9,", "203.0.113.9;x=1"})
    void malformedForwardedFor_isCheckedAsUnknown_sinceARefusalWouldLetTheClientPass(String forwarded)
            throws Exception {
        Request request = reader("trusted-proxies: [10.0.0.0/8]")
                .check(PROXY, headers("X-Forwarded-For: " + forwarded))
                .request();

        assertThat(request.caller()).isEqualTo("unknown");
        assertThat(request.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(request.ip()).isNull();
    }

    @Test
    void givenAConfiguredHeaderWhenNobodyIsNamedThenItTells() throws Exception {
        Request request = reader("caller: header:X-Api-Key, identity: authenticated")
                .check(PROXY, headers("X-Api-Key: acme"))
                .request();

        assertThat(request.caller()).isEqualTo("acme");
        assertThat(request.identity()).isEqualTo(Identity.AUTHENTICATED);
    }

    @Test
    void givenANameInUtf8WhenReadThenItIsThatName() throws Exception {
        String asJettyReadsIt = new String("Zoë".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

        assertThat(reader("")
                        .check(PROXY, headers("X-Sluice-Caller: " + asJettyReadsIt))
                        .request()
                        .caller())
                .isEqualTo("Zoë");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Original-URI: / | X-Sluice-Caller is missing",
                "X-Sluice-Caller: a; X-Sluice-Caller: b | X-Sluice-Caller stands twice",
                "X-Sluice-Caller: a; X-Sluice-Service: b; x-sluice-service: c | X-Sluice-Service stands twice",
                "X-Sluice-Caller: a; X-Sluice-Label-: x | X-Sluice-Label-NAME needs a name",
                "X-Sluice-Caller: a; X-Sluice-Log: no | X-Sluice-Log must be on or off",
                "X-Sluice-Caller: | X-Sluice-Caller is missing",
            })
    void givenSomethingMissingOrHostileWhenReadThenItIsRefusedWithTheReason(String lines, String reason) {
        HttpFields headers = headers(lines.split("; ?"));

        assertThatThrownBy(() -> reader("").check(PROXY, headers))
                .isInstanceOf(UnreadableCheckException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void givenWhateverAClientCanBringAboutWhenReadThenItIsReadAndNotRefused() throws Exception {
        String hostile = "/\u00ff\u00fe%zz/../" + "x".repeat(9000) + "?#";

        Request request = reader("caller: header:X-Api-Key")
                .check(
                        PROXY,
                        headers(
                                "X-Api-Key: \u00ff",
                                "X-Sluice-Label-Plan:",
                                "X-Original-URI: " + hostile,
                                "X-Original-Method: " + "M".repeat(5000)))
                .request();

        assertThat(request.caller()).isNotBlank();
        assertThat(request.route()).hasSizeLessThan(600);
        assertThat(request.method()).hasSizeLessThan(130);
        assertThat(request.labels()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"63, true", "64, true", "65, false"})
    void givenLabelsWhenThereAreMoreThanAnEventHoldsThenTheyAreRefused(int labels, boolean allowed) throws Exception {
        HttpFields.Mutable headers = HttpFields.build(headers("X-Sluice-Caller: acme"));
        for (int i = 0; i < labels; i++) {
            headers.add("X-Sluice-Label-L" + i, "x");
        }

        if (allowed) {
            assertThat(reader("").check(PROXY, headers).request().labels()).hasSize(labels);
        } else {
            assertThatThrownBy(() -> reader("").check(PROXY, headers)).hasMessageContaining("more than 64");
        }
    }

    @ParameterizedTest
    @CsvSource({"on, true", "off, false"})
    void givenAProxyThatPublishesItsOwnLogWhenReadThenTheCheckIsNotLogged(String said, boolean logged)
            throws Exception {
        assertThat(reader("")
                        .check(PROXY, headers("X-Sluice-Caller: acme", "X-Sluice-Log: " + said))
                        .logged())
                .isEqualTo(logged);
    }

    private HeaderReader reader(String agent) throws Exception {
        Path file = Files.writeString(folder.resolve("sluice.yml"), "agent: { service: orders, " + agent + " }");
        return new HeaderReader(SluiceSettings.read(file, Map.of()).agent(), new RouteNormalizer(List.of()));
    }

    private static HttpFields headers(String... lines) {
        HttpFields.Mutable headers = HttpFields.build();
        for (String line : lines) {
            int colon = line.indexOf(':');
            headers.add(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        return headers;
    }
}

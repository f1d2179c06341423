package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CombinedFormatTest {
    private static final String TIME = "[12/May/2024:00:00:17 +0000]";
    private static final String REST = " - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\"";

    private static RequestEvent read(String line) throws MalformedRecord {
        return Sources.read(Sources.of("combined"), line);
    }

    @Test
    void aCombinedLineBecomesAnEvent() throws Exception {
        RequestEvent event = read("203.0.113.9 - anna " + TIME
                + " \"POST /orders/4711?a=1 HTTP/1.1\" 201 594982 \"https://example.com/\" \"curl/8.5\"");

        assertThat(event.time()).isEqualTo(1715472017000L);
        assertThat(event.caller()).isEqualTo("203.0.113.9");
        assertThat(event.ip()).isEqualTo("203.0.113.9");
        assertThat(event.method()).isEqualTo("POST");
        assertThat(event.route()).isEqualTo("/orders/{id}");
        assertThat(event.status()).isEqualTo(201);
        assertThat(event.bytes()).isEqualTo(594982);
        assertThat(event.micros()).isZero();
        assertThat(event.service()).isNull();
        assertThat(event.count()).isEqualTo(1);
        assertThat(event.identity()).isEqualTo(Identity.NETWORK);
        assertThat(event.outcome()).isEqualTo(Outcome.ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5",
                "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\"",
                "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\" \"cut off he",
                "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\" \"more\" 0.004",
                "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\"\r\n",
                "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\" \"say \"hi\" / \\\"x\"",
                "\"192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\"\"",
                "\"192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5\"",
                "\"192.0.2.1 - - " + TIME + " \"\"GET / HTTP/1.1\"\" 200 5 \"\"-\"\" \"\"curl\"\"\"",
                "  192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 5",
            })
    void whatStandsAroundTheFieldsDoesNotMatter(String line) throws Exception {
        RequestEvent event = read(line);

        assertThat(event.caller()).isEqualTo("192.0.2.1");
        assertThat(event.route()).isEqualTo("/");
        assertThat(event.status()).isEqualTo(200);
        assertThat(event.bytes()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example:443 203.0.113.9, 203.0.113.9",
        "shop.example 203.0.113.9, 203.0.113.9",
        "shop.example:80 2001:db8::1, 2001:db8::/64",
        "[2001:db8::80]:443 203.0.113.9, 203.0.113.9",
        "192.0.2.80:443 203.0.113.9, 203.0.113.9",
        "shop.example:443 client.example, client.example"
    })
    void virtualHost_beforeTheAddress_isNotTheCaller(String hostAndAddress, String caller) throws Exception {
        assertThat(read(hostAndAddress + REST).caller()).isEqualTo(caller);
    }

    @Test
    void virtualHost_asService_isReadWithoutItsPort() throws Exception {
        RequestEvent event = Sources.read(
                Sources.service(Sources.of("combined"), "$server_name"),
                "shop.example:443 203.0.113.9 - anna smith " + TIME + " \"GET / HTTP/1.1\" 200 5");

        assertThat(event.service()).isEqualTo("shop.example");
        assertThat(event.ip()).isEqualTo("203.0.113.9");
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7:4711 - anna, 192.0.2.7",
        "192.0.2.7 - anna smith, 192.0.2.7",
        "192.0.2.7 - 203.0.113.9 x, 192.0.2.7",
        "192.0.2.7 ident anna smith, 192.0.2.7",
        "2001:db8::1 - anna smith, 2001:db8::/64",
        "2001:db8::1 ident anna smith, 2001:db8::/64",
        "client.example - -, client.example"
    })
    void noVirtualHost_firstWordIsTheCaller(String before, String caller) throws Exception {
        assertThat(read(before + " " + TIME + " \"GET / HTTP/1.1\" 200 5").caller())
                .isEqualTo(caller);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.example:443 - - -", "shop.example:443 - - anna"})
    void virtualHostWithoutAnAddress_isNoCaller(String before) {
        assertThatThrownBy(() -> read(before + " " + TIME + " \"GET / HTTP/1.1\" 200 5"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("remote_addr");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "203.0.113.9, 10.0.0.1 - anna smith",
                "203.0.113.9, 10.0.0.2, 10.0.0.1 - anna smith",
                "203.0.113.9,10.0.0.1 - anna smith",
                "unknown, 10.0.0.1 - anna smith",
                "shop.example:443 203.0.113.9, 10.0.0.1 - anna smith",
                "shop.example 203.0.113.9, 10.0.0.1 - anna smith"
            })
    void severalAddresses_asOfForwardedFor_areNoAddress(String before) throws Exception {
        String line = before + " " + TIME + " \"GET / HTTP/1.1\" 200 5";

        assertThatThrownBy(() -> read(line)).isInstanceOf(MalformedRecord.class).hasMessageContaining("remote_addr");
        RequestEvent byUser = Sources.read(Sources.of("combined", "$remote_user"), line);
        assertThat(byUser.caller()).isEqualTo("anna smith");
        assertThat(byUser.ip()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "2001:DB8:0:0::1, 2001:db8::/64, 2001:db8::1",
        "::ffff:192.0.2.7, 192.0.2.7, 192.0.2.7",
        "[2001:db8::7], 2001:db8::/64, 2001:db8::7",
        "192.0.2.7:4711, 192.0.2.7, 192.0.2.7"
    })
    void anAddressHasOneSpelling_andAnIpv6CallerIsItsNetwork(String written, String caller, String ip)
            throws Exception {
        RequestEvent event = read(written + REST);

        assertThat(event.caller()).isEqualTo(caller);
        assertThat(event.ip()).isEqualTo(ip);
    }

    @ParameterizedTest
    @CsvSource({"128, 2001:db8:1:203::7", "56, 2001:db8:1:200::/56", "64, 2001:db8:1:203::/64"})
    void ipv6Prefix_ofTheSource_decidesHowMuchOfAnAddressIsTheCaller(int prefix, String caller) throws Exception {
        RequestEvent event =
                Sources.read(Sources.ipv6Prefix(Sources.of("combined"), prefix), "2001:db8:1:203::7" + REST);

        assertThat(event.caller()).isEqualTo(caller);
        assertThat(event.ip()).isEqualTo("2001:db8:1:203::7");
    }

    @Test
    void aHostNameIsACallerWithoutAddress() throws Exception {
        RequestEvent event = read("crawler.example.com" + REST);

        assertThat(event.caller()).isEqualTo("crawler.example.com");
        assertThat(event.ip()).isNull();
    }

    @Test
    void aUserCannotForgeATimeOrARequest() throws Exception {
        RequestEvent event = read("192.0.2.1 - x [01/Jan/2020:00:00:00 +0000] \\\"GET /forged HTTP/1.1\\\" 200 1 "
                + TIME + " \"GET /real HTTP/1.1\" 403 7 \"-\" \"curl\"");

        assertThat(event.time()).isEqualTo(1715472017000L);
        assertThat(event.route()).isEqualTo("/real");
        assertThat(event.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "GET /a b c HTTP/1.1|GET|/a b c",
                "get / HTTP/1.1|GET|/",
                "GET /old|GET|/old",
                "GET /say\"hi\" HTTP/1.0|GET|/say\"hi\"",
                "GET /say\\\"hi\\\" HTTP/1.0|GET|/say\"hi\"",
                "OPTIONS * HTTP/1.1|OPTIONS|*",
                "GET http://example.com/x?y HTTP/1.1|GET|/x",
                "-|null|null",
                "\\x16\\x03\\x01\\x02|null|null",
                "''|null|null",
                "GET|null|null",
            })
    void aRequestIsReadAsFarAsItIsOne(String request, String method, String route) throws Exception {
        RequestEvent event = read("192.0.2.1 - - " + TIME + " \"" + request + "\" 400 5 \"-\" \"curl\"");

        assertThat(event.method()).isEqualTo(method);
        assertThat(event.route()).isEqualTo(route);
        assertThat(event.status()).isEqualTo(400);
    }

    @Test
    void anEmptyRequestLeavesMethodAndRouteUnknown() throws Exception {
        RequestEvent event = read("192.0.2.1 - - " + TIME + " \"\" 400 0 \"-\" \"-\"");

        assertThat(event.method()).isNull();
        assertThat(event.status()).isEqualTo(400);
    }

    @Test
    void aDashIsAnUnknownValue() throws Exception {
        RequestEvent event = read("192.0.2.1 - - " + TIME + " \"-\" - - \"-\" \"-\"");

        assertThat(event.status()).isZero();
        assertThat(event.bytes()).isZero();
    }

    @Test
    void bytesThatAreNoUtf8AreReplaced() throws Exception {
        byte[] line = ("192.0.2.1 - - " + TIME + " \"GET /caf\u00e9 HTTP/1.1\" 200 5 \"-\" \"\u00ff\u00fe\"")
                .getBytes(StandardCharsets.ISO_8859_1);

        RequestEvent event = LogFormats.of(Sources.of("combined")).read(line);

        assertThat(event.route()).isEqualTo("/caf\uFFFD");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|an empty line",
                "' \"curl/7.54.0\"'|the rest of a line broken in two",
                "\"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_1) AppleWebKit/537.36\"|the rest of a line broken in two",
                "nonsense|no [time] before a \"request\": the line ends",
                "192.0.2.1 - - [12/May/2024:00:00:17 +0000]|the line ends",
                "192.0.2.1 - - [12/May/2024:00:00:17 +0000] \"GET / HTTP/1.1|no status behind the request",
                "192.0.2.1 - - [12/May/2024:00:00:17 +0000] \"GET / HTTP/1.1\"|no status behind the request",
                "192.0.2.1 - - [12/May/2024:00:00:17 +0000] \"GET / HTTP/1.1\" 20|no status behind the request",
                "192.0.2.1 - - [12/May/2024:00:00:17 +0000] \"GET / HTTP/1.1\" 200 many|body_bytes_sent: a number",
                "192.0.2.1 - - [12/Mai/2024:00:00:17 +0000] \"GET / HTTP/1.1\" 200 5|time_local: no time such as",
                "- - - [12/May/2024:00:00:17 +0000] \"GET / HTTP/1.1\" 200 5|caller: no remote_addr",
            })
    void whatIsNoLineIsADeadLetterWithItsReason(String line, String reason) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(MalformedRecord.class).hasMessageContaining(reason);
    }

    @Test
    void aReasonNeverRepeatsWhatWasFound() {
        assertThatThrownBy(() -> read("192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 200 secret"))
                .isInstanceOf(MalformedRecord.class)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void ofSeveralCallersTheFirstPresentCounts() throws Exception {
        var source = Sources.of("combined", "$remote_user", "$remote_addr");

        RequestEvent named = Sources.read(source, "192.0.2.1 - anna" + REST.substring(4));
        RequestEvent unnamed = Sources.read(source, "192.0.2.1" + REST);

        assertThat(named.caller()).isEqualTo("anna");
        assertThat(named.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(unnamed.caller()).isEqualTo("192.0.2.1");
        assertThat(unnamed.identity()).isEqualTo(Identity.NETWORK);
        assertThat(LogFormats.of(source).identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void aConfiguredIdentityHoldsForAllCallers() throws Exception {
        var source = Sources.identity(Sources.of("combined", "$remote_user"), Identity.AUTHENTICATED);

        assertThat(Sources.read(source, "192.0.2.1 - anna" + REST.substring(4)).identity())
                .isEqualTo(Identity.AUTHENTICATED);
    }

    @Test
    void serviceLabelsAndRoutesAreTakenFromTheSource() throws Exception {
        var source = Sources.routes(
                Sources.labels(
                        Sources.service(Sources.of("combined"), "value:orders"), Map.of("agent", "$http_user_agent")),
                "/shop/{name}/*");

        RequestEvent event =
                Sources.read(source, "192.0.2.1 - - " + TIME + " \"GET /shop/anna/x/y HTTP/1.1\" 200 5 \"-\" \"curl\"");

        assertThat(event.service()).isEqualTo("orders");
        assertThat(event.label("agent")).isEqualTo("curl");
        assertThat(event.route()).isEqualTo("/shop/{name}/*");
    }

    @Test
    void statusesThatMeanRejectionAreConfigured() throws Exception {
        var source = Sources.rejected(Sources.of("combined"), 503);

        RequestEvent rejected = Sources.read(source, "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 503 5");
        RequestEvent other = Sources.read(source, "192.0.2.1 - - " + TIME + " \"GET / HTTP/1.1\" 429 5");

        assertThat(rejected.rejected()).isTrue();
        assertThat(other.rejected()).isFalse();
    }

    @Test
    void aFieldThatACombinedLogDoesNotHaveIsRefusedAtOnce() {
        assertThatThrownBy(() -> LogFormats.of(Sources.of("combined", "$http_x_api_key")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http_x_api_key")
                .hasMessageContaining("remote_user");
        assertThatThrownBy(() -> LogFormats.of(Sources.fields(Sources.of("combined"), Map.of("time", "t"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fields");
    }
}

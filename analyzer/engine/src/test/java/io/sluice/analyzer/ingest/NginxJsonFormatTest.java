package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NginxJsonFormatTest {
    private static final String TIME = "'time_local':'17/Nov/2013:06:31:30 -0500'";

    /** Single quotes stand for double ones. */
    private static RequestEvent read(String line, String... caller) throws MalformedRecord {
        return Sources.read(Sources.of("nginx-json", caller), line.replace('\'', '"'));
    }

    @Test
    void aLineWhoseValuesAreAllStringsBecomesAnEvent() throws Exception {
        RequestEvent event = read("{'remote_addr':'203.0.113.9','remote_user':'-'," + TIME
                + ",'request':'GET /api/dashboard/4711/ping?_=1 HTTP/1.1','status':'200','body_bytes_sent':'6690',"
                + "'request_time':'20.002','nested':{'a':[1,{'b':'}'}]},'http_user_agent':'curl'}");

        assertThat(event.time()).isEqualTo(1384687890000L);
        assertThat(event.caller()).isEqualTo("203.0.113.9");
        assertThat(event.method()).isEqualTo("GET");
        assertThat(event.route()).isEqualTo("/api/dashboard/{id}/ping");
        assertThat(event.status()).isEqualTo(200);
        assertThat(event.bytes()).isEqualTo(6690);
        assertThat(event.micros()).isEqualTo(20_002_000);
        assertThat(event.identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void mappedRouteAndMethod_countBeforeTheRequestLine() throws Exception {
        var source =
                Sources.fields(Sources.of("nginx-json"), Map.of("route", "upstream_uri", "method", "upstream_method"));
        String line = "{'remote_addr':'203.0.113.9'," + TIME + ",'request':'GET /a/1 HTTP/1.1'%s}";

        RequestEvent both = Sources.read(
                source,
                line.formatted(",'upstream_uri':'/orders/1','upstream_method':'POST'")
                        .replace('\'', '"'));
        RequestEvent none = Sources.read(source, line.formatted("").replace('\'', '"'));

        assertThat(both.route()).isEqualTo("/orders/{id}");
        assertThat(both.method()).isEqualTo("POST");
        assertThat(none.route()).isEqualTo("/a/{id}");
        assertThat(none.method()).isEqualTo("GET");
    }

    @Test
    void numbersMayBeNumbersAndMethodAndPathMayStandAlone() throws Exception {
        RequestEvent event = read(" { 'remote_addr' : '::1' , 'msec' : 1763699999.123, 'request_method':'POST',"
                + "'request_uri':'/login?next=%2F','status':429,'bytes_sent':12,'request_time':0.0000015} ");

        assertThat(event.time()).isEqualTo(1763699999123L);
        assertThat(event.caller()).isEqualTo("::/64");
        assertThat(event.method()).isEqualTo("POST");
        assertThat(event.route()).isEqualTo("/login");
        assertThat(event.bytes()).isEqualTo(12);
        assertThat(event.micros()).isEqualTo(1);
        assertThat(event.rejected()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'msec':'1384687890.000'",
                "'msec':1384687890",
                "'time_iso8601':'2013-11-17T06:31:30-05:00'",
                "'time_local':'17\\/Nov\\/2013:06:31:30 -0500'",
                "'msec':'1384687890.000','time_local':'garbage'",
                "'msec':'-','time_local':'17/Nov/2013:06:31:30 -0500'",
            })
    void theTimeIsTakenFromWhatIsThere(String time) throws Exception {
        assertThat(read("{'remote_addr':'192.0.2.1'," + time + "}").time()).isEqualTo(1384687890000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'-'", "''", "null"})
    void unknownValuesAreUnknown(String unknown) throws Exception {
        RequestEvent event = read("{'remote_addr':'192.0.2.1'," + TIME + ",'request':" + unknown + ",'status':"
                + unknown + ",'body_bytes_sent':" + unknown + ",'request_time':" + unknown + "}");

        assertThat(event.status()).isZero();
        assertThat(event.bytes()).isZero();
        assertThat(event.micros()).isZero();
        assertThat(event.method()).isNull();
        assertThat(event.route()).isNull();
    }

    @Test
    void aHeaderIsACallerOnlyAsClaimed() throws Exception {
        String line = "{'remote_addr':'192.0.2.1'," + TIME + ",'http_x_api_key':'k\\u0031\\\\x'}";

        RequestEvent event = read(line, "$http_x_api_key", "$remote_addr");

        assertThat(event.caller()).isEqualTo("k1\\x");
        assertThat(event.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(read(line, "http_x_user", "remote_addr").caller()).isEqualTo("192.0.2.1");
    }

    @Test
    void serversEscapesAndForeignBytesAreRead() throws Exception {
        byte[] line = ("{\"remote_addr\":\"192.0.2.1\",\"time_local\":\"17/Nov/2013:06:31:30 -0500\","
                        + "\"request\":\"GET /caf\u00e9 HTTP/1.1\",\"http_x_name\":\"a\\x22b\\xC3\\xA9\\ud83d\\ude00\\ud800\"}")
                .getBytes(StandardCharsets.ISO_8859_1);

        RequestEvent event =
                LogFormats.of(Sources.of("nginx-json", "$http_x_name")).read(line);

        assertThat(event.caller()).isEqualTo("a\"b\u00e9\ud83d\ude00\uFFFD");
        assertThat(event.route()).isEqualTo("/caf\uFFFD");
    }

    @Test
    void fieldsHaveTheNamesThatTheSourceSays() throws Exception {
        var source = Sources.service(
                Sources.labels(
                        Sources.fields(
                                Sources.of("nginx-json", "tenant"),
                                Map.of("time", "ts", "millis", "took", "bytes", "sent", "ip", "client")),
                        Map.of("plan", "http_x_plan", "none", "missing")),
                "$host");

        RequestEvent event = Sources.read(
                Sources.identity(source, Identity.NETWORK),
                ("{'ts':'2026-03-02T10:00:00.250Z','took':'0.5','sent':'7','client':'192.0.2.9:80','tenant':'acme',"
                                + "'http_x_plan':'gold','host':'shop.example.com','remote_addr':'127.0.0.1'}")
                        .replace('\'', '"'));

        assertThat(event.time()).isEqualTo(1772445600250L);
        assertThat(event.micros()).isEqualTo(500_000);
        assertThat(event.bytes()).isEqualTo(7);
        assertThat(event.ip()).isEqualTo("192.0.2.9");
        assertThat(event.caller()).isEqualTo("acme");
        assertThat(event.service()).isEqualTo("shop.example.com");
        assertThat(event.labels()).isEqualTo(Map.of("plan", "gold"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|empty line",
                "[1]|a JSON object is expected at byte 0",
                "{\"remote_addr\":\"192.0.2.1\"|a comma or the object's end is expected",
                "{\"remote_addr\":\"192.0.2.1|the end of a string is expected",
                "{\"remote_addr\"}|a colon is expected",
                "{\"remote_addr\":}|a value is expected",
                "{\"remote_addr\":[]}|remote_addr: a single value is expected",
                "{\"remote_addr\":\"a\",\"remote_addr\":\"b\"}|remote_addr: stands twice",
                "{} x|nothing behind the object is expected",
                "{}|caller: no remote_addr",
                "{\"remote_addr\":\"192.0.2.1\"}|time: there is none",
                "{\"remote_addr\":\"192.0.2.1\",\"msec\":\"soon\"}|msec: no time such as",
                "{\"remote_addr\":\"192.0.2.1\",\"msec\":1,\"status\":\"OK\"}|status: a status is expected",
                "{\"remote_addr\":\"192.0.2.1\",\"msec\":1,\"body_bytes_sent\":-1}|body_bytes_sent: a number of bytes",
                "{\"remote_addr\":\"192.0.2.1\",\"msec\":1,\"request_time\":\"0.1, 0.2\"}|request_time: a number of seconds",
            })
    void whatIsNoLineIsADeadLetterWithItsReason(String line, String reason) {
        assertThatThrownBy(() -> Sources.read(Sources.of("nginx-json"), line))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining(reason);
    }

    @Test
    void nestingIsBounded() {
        String deep = "{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";

        assertThatThrownBy(() -> Sources.read(Sources.of("nginx-json"), deep))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("at most 20 levels");
    }

    @ParameterizedTest
    @ValueSource(strings = {"combined", "nginx-json", "json"})
    void aLineThatIsTooLongIsADeadLetter(String format) {
        assertThatThrownBy(() -> Sources.read(Sources.of(format), "x".repeat(65_537)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("65537 bytes long, at most 65536 are read");
    }

    @Test
    void anUnknownNameOfOursIsRefused() {
        assertThatThrownBy(() -> LogFormats.of(Sources.fields(Sources.of("nginx-json"), Map.of("latency", "x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'latency'")
                .hasMessageContaining("millis");
    }

    @Test
    void cost_isReadFromAFieldOfItsOwn() throws Exception {
        String line = "{'msec':1772445600.250,'remote_addr':'192.0.2.9','status':200,'upstream_http_x_tokens':'640'}";
        assertThat(Sources.read(
                                Sources.fields(Sources.of("nginx-json"), Map.of("cost", "upstream_http_x_tokens")),
                                line.replace('\'', '"'))
                        .cost())
                .isEqualTo(640);
        assertThatThrownBy(() -> Sources.read(
                        Sources.fields(Sources.of("nginx-json"), Map.of("cost", "upstream_http_x_tokens")),
                        line.replace('\'', '"').replace("640", "-1")))
                .isInstanceOf(MalformedRecord.class);
    }
}

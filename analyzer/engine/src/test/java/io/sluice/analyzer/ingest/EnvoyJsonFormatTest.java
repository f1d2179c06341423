package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvoyJsonFormatTest {
    /**
     * The request of the example in Envoy's documentation ("Access logging", default format), under the keys that Istio gives
     * to JSON logs (istio.io, "Envoy access logs"). Without types all values are text, and {@code -} is nothing.
     */
    private static final String TEXT =
            "{'start_time':'2016-04-15T20:17:00.310Z','method':'POST','path':'/api/v1/locations',"
                    + "'protocol':'HTTP/2','response_code':'204','response_flags':'-','bytes_received':'154','bytes_sent':'0',"
                    + "'duration':'226','upstream_service_time':'100','x_forwarded_for':'10.0.35.28','user_agent':'nsq2http',"
                    + "'request_id':'cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2','authority':'locations','upstream_host':'tcp://10.0.2.1:80',"
                    + "'downstream_remote_address':'10.44.1.23:46520','route_name':'default'}";
    /** The request of Istio's example, as Envoy's {@code typed_json_format} writes it: numbers as numbers, nothing as null. */
    private static final String TYPED = "{'start_time':'2020-11-25T21:26:18.409Z','method':'GET','path':'/status/418',"
            + "'protocol':'HTTP/1.1','response_code':418,'response_flags':'-','response_code_details':'via_upstream',"
            + "'bytes_received':0,'bytes_sent':135,'duration':3,'upstream_service_time':1,'x_forwarded_for':null,"
            + "'user_agent':'curl/7.73.0-DEV','request_id':'84961386-6d84-929d-98bd-c5aee93b5c88','authority':'httpbin:8000',"
            + "'upstream_host':'10.44.1.27:80','upstream_cluster':'outbound|8000||httpbin.foo.svc.cluster.local',"
            + "'downstream_remote_address':'10.44.1.23:46520','requested_server_name':null,'route_name':'default'}";

    /** Single quotes stand for double ones. */
    private static RequestEvent read(String line, String... caller) throws MalformedRecord {
        return Sources.read(Sources.of("envoy-json", caller), line.replace('\'', '"'));
    }

    @Test
    void aLineOfTextBecomesAnEvent() throws Exception {
        RequestEvent event = read(TEXT);

        assertThat(Instant.ofEpochMilli(event.time())).isEqualTo("2016-04-15T20:17:00.310Z");
        assertThat(event.caller()).isEqualTo("10.44.1.23");
        assertThat(event.ip()).isEqualTo("10.44.1.23");
        assertThat(event.identity()).isEqualTo(Identity.NETWORK);
        assertThat(event.method()).isEqualTo("POST");
        assertThat(event.route()).isEqualTo("/api/v1/locations");
        assertThat(event.status()).isEqualTo(204);
        assertThat(event.bytes()).isZero();
        assertThat(event.micros()).isEqualTo(226_000);
        assertThat(event.service()).isNull();
        assertThat(event.rejected()).isFalse();
    }

    @Test
    void aLineWithTypesBecomesAnEvent() throws Exception {
        RequestEvent event = read(TYPED);

        assertThat(Instant.ofEpochMilli(event.time())).isEqualTo("2020-11-25T21:26:18.409Z");
        assertThat(event.caller()).isEqualTo("10.44.1.23");
        assertThat(event.route()).isEqualTo("/status/{id}");
        assertThat(event.status()).isEqualTo(418);
        assertThat(event.bytes()).isEqualTo(135);
        assertThat(event.micros()).isEqualTo(3000);
    }

    @Test
    void aLongPath_isReadToItsEnd() throws Exception {
        String filler = "./".repeat(30_000);
        RequestEvent event = Sources.read(
                Sources.of("envoy-json"),
                "{\"start_time\":\"2025-11-21T04:39:59.123Z\",\"downstream_remote_address\":\"203.0.113.9:1\",\"path\":\"/"
                        + filler + "orders/17\"}");

        assertThat(event.route()).isEqualTo("/orders/{id}");
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 203.0.113.9",
        "'203.0.113.9, 10.0.0.1,10.0.0.2', 203.0.113.9",
        "'[2001:DB8::1]:443 , 10.0.0.1', 2001:db8::/64",
        "'unknown, 10.0.0.1', unknown"
    })
    void aForwardedHeaderNamesItsFirstAddressAndIsOnlyClaimed(String header, String caller) throws Exception {
        RequestEvent event = read(TEXT.replace("10.0.35.28", header), "x_forwarded_for", "downstream_remote_address");

        assertThat(event.caller()).isEqualTo(caller);
        assertThat(event.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(event.ip()).isEqualTo("10.44.1.23");
    }

    @Test
    void whereNothingWasForwardedTheNextFieldIsTheCallerWithItsOwnIdentity() throws Exception {
        RequestEvent event = read(TYPED, "x_forwarded_for", "downstream_remote_address");

        assertThat(event.caller()).isEqualTo("10.44.1.23");
        assertThat(event.identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void whoTrustsTheHeaderSaysSo() throws Exception {
        var source = Sources.identity(Sources.of("envoy-json", "x_forwarded_for"), Identity.NETWORK);

        assertThat(Sources.read(source, TEXT.replace('\'', '"')).identity()).isEqualTo(Identity.NETWORK);
        assertThat(LogFormats.of(source).identity()).isEqualTo(Identity.NETWORK);
        assertThat(LogFormats.of(Sources.of("envoy-json")).identity()).isEqualTo(Identity.NETWORK);
        assertThat(LogFormats.of(Sources.of("envoy-json", "x_forwarded_for")).identity())
                .isEqualTo(Identity.CLAIMED);
    }

    @Test
    void keysOfOnesOwnAreMappedAndTheMappedAddressIsTheCaller() throws Exception {
        var source = Sources.service(
                Sources.labels(
                        Sources.fields(
                                Sources.of("envoy-json"),
                                Map.of("time", "ts", "ip", "client", "status", "code", "millis", "took")),
                        Map.of("flags", "response_flags", "host", "authority")),
                "route_name");

        RequestEvent event = Sources.read(
                source,
                "{'ts':'2026-02-24T10:30:45.123456Z','client':'[2001:DB8::7]:1','code':429,'took':'1.5','route_name':'orders',"
                                .replace('\'', '"')
                        + "\"authority\":\"a.example\",\"response_flags\":\"RL\"}");

        assertThat(event.time())
                .isEqualTo(Instant.parse("2026-02-24T10:30:45.123Z").toEpochMilli());
        assertThat(event.caller()).isEqualTo("2001:db8::/64");
        assertThat(event.identity())
                .as("no setting makes it the address of a connection")
                .isEqualTo(Identity.CLAIMED);
        assertThat(event.rejected()).isTrue();
        assertThat(event.micros()).isEqualTo(1500);
        assertThat(event.service()).isEqualTo("orders");
        assertThat(event.labels()).isEqualTo(Map.of("flags", "RL", "host", "a.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'-'", "''", "null"})
    void unknownValuesAreUnknown(String unknown) throws Exception {
        RequestEvent event =
                read("{'downstream_remote_address':'192.0.2.1','start_time':'2026-02-24T10:30:45Z','method':"
                        + unknown + ",'path':" + unknown + ",'response_code':" + unknown + ",'bytes_sent':" + unknown
                        + ",'duration':" + unknown + "}");

        assertThat(event.method()).isNull();
        assertThat(event.route()).isNull();
        assertThat(event.status()).isZero();
        assertThat(event.bytes()).isZero();
        assertThat(event.micros()).isZero();
    }

    @Test
    void aConnectionThatBrokeBeforeAnAnswerHasNoStatus() throws Exception {
        assertThat(read(TYPED.replace("418,", "0,")).status()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[2016-04-15T20:17:00.310Z] \"POST /api HTTP/2\" 204|a JSON object is expected at byte 0",
                "{}|caller: no downstream_remote_address",
                "{\"downstream_remote_address\":\"192.0.2.1:80\"}|time: there is none",
                "{\"downstream_remote_address\":\"192.0.2.1:80\",\"start_time\":\"noon\"}|start_time: no time such as",
                "{\"downstream_remote_address\":{},\"start_time\":1}|downstream_remote_address: a single value is expected",
                "{\"downstream_remote_address\":\"a\",\"start_time\":1,\"response_code\":-1}|response_code: a status",
                "{\"downstream_remote_address\":\"a\",\"start_time\":1,\"bytes_sent\":\"x\"}|bytes_sent: a number of bytes",
                "{\"downstream_remote_address\":\"a\",\"start_time\":1,\"duration\":\"4ms\"}|duration: a number of milliseconds",
                "{\"downstream_remote_address\":\"a\",\"start_time\":1,\"duration\":-3}|duration: a number of milliseconds",
            })
    void whatIsNoLineIsADeadLetterWithItsReason(String line, String reason) {
        assertThatThrownBy(() -> Sources.read(Sources.of("envoy-json"), line))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining(reason);
    }

    @Test
    void cost_isReadFromAFieldOfItsOwn() throws Exception {
        String line =
                "{'start_time':'2026-03-02T10:00:00.250Z','downstream_remote_address':'192.0.2.9:1','response_code':200,'upstream_http_x_tokens':640}";
        assertThat(Sources.read(
                                Sources.fields(Sources.of("envoy-json"), Map.of("cost", "upstream_http_x_tokens")),
                                line.replace('\'', '"'))
                        .cost())
                .isEqualTo(640);
        assertThatThrownBy(() -> Sources.read(
                        Sources.fields(Sources.of("envoy-json"), Map.of("cost", "upstream_http_x_tokens")),
                        line.replace('\'', '"').replace("640", "-1")))
                .isInstanceOf(MalformedRecord.class);
    }
}

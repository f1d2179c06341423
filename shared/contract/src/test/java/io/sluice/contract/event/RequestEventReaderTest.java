package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestEventReaderTest {

    @Test
    void timeAndCallerAreEnough() throws MalformedRecord {
        RequestEvent event = read("{\"time\":5,\"caller\":\"acme\"}");

        assertThat(event)
                .isEqualTo(new RequestEvent(
                        5,
                        "acme",
                        null,
                        null,
                        null,
                        null,
                        0,
                        0,
                        0,
                        null,
                        Outcome.ALLOWED,
                        1,
                        Identity.AUTHENTICATED,
                        Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | request.time is missing",
                "{\"caller\":\"a\"} | request.time is missing",
                "{\"time\":5} | request.caller is missing or empty",
                "{\"time\":5,\"caller\":\"\"} | request.caller is missing or empty",
                "{\"time\":5,\"caller\":null} | request.caller is missing or empty",
                "[] | request: an object is expected",
                "{\"time\":5,\"caller\":\"a\"}} | request: not valid JSON at byte",
                "{\"time\":5,\"caller\":\"a\"}[] | request: nothing is expected behind the object",
            })
    void whatIsNeededMustBeThere(String json, String message) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class).hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time | -1",
                "time | 1.5",
                "time | \"5\"",
                "time | 9223372036854775808",
                "caller | 42",
                "caller | [\"a\"]",
                "service | {}",
                "status | 99",
                "status | 600",
                "status | \"200\"",
                "bytes | -1",
                "bytes | 1125899906842625",
                "millis | -0.001",
                "millis | 1e300",
                "millis | \"5\"",
                "millis | true",
                "count | 0",
                "count | 1000000001",
                "outcome | \"gone\"",
                "identity | \"guessed\"",
                "ip | \"10.0.0.256\"",
                "ip | \"example.org\"",
                "labels | \"x\"",
                "labels | {\"plan\":5}",
                "labels | {\"plan\":\"a\",\"plan\":\"b\"}",
            })
    void aValueOfAnotherTypeOrOutOfItsRangeIsRefusedByName(String field, String value) {
        assertThatThrownBy(() -> read(event(field, value)))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith("request." + field + ":")
                .hasMessageNotContaining("gone")
                .hasMessageNotContaining("example");
    }

    @ParameterizedTest
    @CsvSource({
        "time, 0",
        "time, 9223372036854775807",
        "status, 0",
        "status, 100",
        "status, 599",
        "bytes, 1125899906842624",
        "millis, 0",
        "millis, 1e3",
        "count, 1",
        "count, 1000000000",
        "service, null",
        "labels, null",
        "millis, null",
    })
    void valuesAtTheirBoundsAreRead(String field, String value) throws MalformedRecord {
        assertThat(read(event(field, value)).caller()).isEqualTo("acme");
    }

    @Test
    void aNameThatStandsTwiceIsRefused() {
        assertThatThrownBy(() -> read("{\"time\":5,\"caller\":\"a\",\"caller\":\"b\"}"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("request.caller: stands twice");
    }

    @Test
    void aFieldThatNobodyWantsIsPassedOverWhateverItHolds() throws MalformedRecord {
        RequestEventReader reader = RequestEventReader.ours().wanting(Set.of());

        RequestEvent event = reader.read(
                utf8(
                        "{\"service\":{\"a\":[1]},\"ip\":\"junk\",\"labels\":5,\"time\":5,\"caller\":\"acme\",\"millis\":\"x\"}"));

        assertThat(event.service()).isNull();
        assertThat(event.ip()).isNull();
        assertThat(event.micros()).isZero();
    }

    @Test
    void millisAreReadAsWholeMicroseconds() throws MalformedRecord {
        assertThat(read(event("millis", "12.3456")).micros()).isEqualTo(12_346);
    }

    @Test
    void anAddressIsReadInItsOneSpelling() throws MalformedRecord {
        assertThat(read(event("ip", "\"::ffff:10.0.0.1\"")).ip()).isEqualTo("10.0.0.1");
    }

    @Test
    void aMethodIsReadInCapitals() throws MalformedRecord {
        assertThat(read(event("method", "\"get\"")).method()).isEqualTo("GET");
    }

    @Test
    void aPathBecomesARoute() throws MalformedRecord {
        assertThat(read(event("route", "\"/orders/17?x=1\"")).route()).isEqualTo("/orders/{id}");
    }

    @Test
    void theRouteOfAnEventOfOursStaysAsTheAgentSawIt() throws MalformedRecord {
        String json = "{\"time\":5,\"caller\":\"a\",\"route\":\"/orders/%41\",\"type\":\"request\",\"format\":1}";

        assertThat(read(json).route()).isEqualTo("/orders/%41");
    }

    @Test
    void typeAndFormatOfOthersMeanNothing() throws MalformedRecord {
        String json = "{\"type\":[\"nginx\"],\"format\":{\"v\":7},\"time\":5,\"caller\":\"acme\"}";

        assertThat(read(json).caller()).isEqualTo("acme");
    }

    @ParameterizedTest
    @CsvSource({"200, false", "429, true", "503, false"})
    void withoutOutcomeTheStatusTellsOfARejection(int status, boolean rejected) throws MalformedRecord {
        assertThat(read(event("status", Integer.toString(status))).rejected()).isEqualTo(rejected);
    }

    @Test
    void aSourceCanSayWhichStatusesAreRejections() throws MalformedRecord {
        RequestEventReader reader = new RequestEventReader(EventLayout.OURS.rejected(Set.of(503)));

        assertThat(reader.read(utf8(event("status", "503"))).rejected()).isTrue();
        assertThat(reader.read(utf8(event("status", "429"))).rejected()).isFalse();
    }

    @Test
    void outcomeOutweighsTheStatus() throws MalformedRecord {
        assertThat(read("{\"time\":5,\"caller\":\"a\",\"status\":429,\"outcome\":\"allowed\"}")
                        .rejected())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "AUTHENTICATED, claimed, CLAIMED",
        "CLAIMED, authenticated, CLAIMED",
        "NETWORK, authenticated, NETWORK",
        "NETWORK, claimed, CLAIMED",
    })
    void theWeakerIdentityWins(Identity source, String event, Identity expected) throws MalformedRecord {
        RequestEventReader reader = new RequestEventReader(EventLayout.OURS.identity(source));

        assertThat(reader.read(utf8(event("identity", "\"" + event + "\""))).identity())
                .isEqualTo(expected);
    }

    @Test
    void theirNamesCanDiffer() throws MalformedRecord {
        RequestEventReader reader = new RequestEventReader(EventLayout.OURS
                .names(Map.of(
                        Field.TIME, List.of("ts"),
                        Field.CALLER, List.of("api_key", "addr"),
                        Field.IP, List.of("addr")))
                .labels(Map.of("plan", "http_x_plan"))
                .service("orders"));

        RequestEvent event = reader.read(utf8(
                "{\"addr\":\"10.0.0.1\",\"ts\":5,\"api_key\":\"k1\",\"http_x_plan\":\"gold\",\"time\":\"later\"}"));

        assertThat(event.caller()).isEqualTo("k1");
        assertThat(event.ip()).isEqualTo("10.0.0.1");
        assertThat(event.time()).isEqualTo(5);
        assertThat(event.label("plan")).isEqualTo("gold");
        assertThat(event.service()).isEqualTo("orders");
    }

    @Test
    void theFirstCallerThatIsPresentWins() throws MalformedRecord {
        RequestEventReader reader = new RequestEventReader(
                EventLayout.OURS.names(Map.of(Field.CALLER, List.of("api_key", "user", "addr"))));

        assertThat(reader.read(utf8("{\"addr\":\"10.0.0.1\",\"time\":5,\"api_key\":\"\",\"user\":\"ada\"}"))
                        .caller())
                .isEqualTo("ada");
    }

    @Test
    void sixtyFourLabelsAreRead() throws MalformedRecord {
        assertThat(read(event("labels", labels(64))).labels()).hasSize(64);
    }

    @Test
    void sixtyFiveLabelsAreRefused() {
        assertThatThrownBy(() -> read(event("labels", labels(65))))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("request.labels: at most 64 labels is expected");
    }

    @Test
    void aLongCallerIsCut() throws MalformedRecord {
        assertThat(read(event("caller", "\"" + "c".repeat(5000) + "\"")).caller())
                .startsWith("c".repeat(64) + "…")
                .hasSize(81);
    }

    private static String labels(int many) {
        return IntStream.range(0, many).mapToObj(i -> "\"" + i + "\":\"x\"").collect(Collectors.joining(",", "{", "}"));
    }

    private static RequestEvent read(String json) throws MalformedRecord {
        return RequestEventReader.ours().read(utf8(json));
    }

    /** A sound event in which one field has this value. */
    private static String event(String field, String value) {
        String time = field.equals("time") ? "" : "\"time\":5,";
        String caller = field.equals("caller") ? "" : "\"caller\":\"acme\",";
        return "{" + time + caller + "\"" + field + "\":" + value + "}";
    }

    private static byte[] utf8(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}

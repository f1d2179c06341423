package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Field;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonFormatTest {
    @Test
    void anEventOfOurOwnIsReadAsItStands() throws Exception {
        RequestEvent event = Sources.read(
                Sources.of("json"),
                "{\"time\":1763699999123,\"caller\":\"acme\",\"route\":\"/orders/{id}\",\"status\":429,\"millis\":12.5}");

        assertThat(event.caller()).isEqualTo("acme");
        assertThat(event.route()).isEqualTo("/orders/{id}");
        assertThat(event.micros()).isEqualTo(12_500);
        assertThat(event.rejected()).isTrue();
        assertThat(event.identity()).isEqualTo(Identity.AUTHENTICATED);
    }

    @Test
    void headerAsCaller_isOnlyClaimed_unlessTheSourceSaysOtherwise() throws Exception {
        var header = Sources.of("json", "$http_x_api_key");
        String line = "{\"time\":5,\"http_x_api_key\":\"acme\"}";

        assertThat(Sources.read(header, line).identity()).isEqualTo(Identity.CLAIMED);
        assertThat(Sources.read(Sources.fields(Sources.of("json"), Map.of("caller", "http_x_api_key")), line)
                        .identity())
                .isEqualTo(Identity.CLAIMED);
        assertThat(Sources.read(Sources.of("json", "user", "$http_x_api_key"), line)
                        .identity())
                .as("a list with a field that a client can write")
                .isEqualTo(Identity.CLAIMED);
        assertThat(Sources.read(Sources.identity(header, Identity.AUTHENTICATED), line)
                        .identity())
                .isEqualTo(Identity.AUTHENTICATED);
    }

    @Test
    void whatNoPolicyLooksAtIsNotRead() throws Exception {
        LogFormat format = LogFormats.of(Sources.of("json"));
        format.wanting(Set.of(Field.BYTES));

        RequestEvent event = format.read(
                "{\"time\":5,\"caller\":\"acme\",\"route\":\"/orders\",\"ip\":\"no address\",\"status\":429,\"bytes\":7,\"millis\":12.5}"
                        .getBytes(StandardCharsets.UTF_8));

        assertThat(event.bytes()).isEqualTo(7);
        assertThat(event.rejected()).isTrue();
        assertThat(event.route()).isNull();
        assertThat(event.micros()).isZero();
    }

    @Test
    void aTeamsOwnNamesAreMapped() throws Exception {
        var source = Sources.routes(
                Sources.labels(
                        Sources.service(
                                Sources.fields(
                                        Sources.of("json", "key", "$user"), Map.of("time", "ts", "route", "uri")),
                                "app"),
                        Map.of("plan", "tier")),
                "/v1/{any}");

        RequestEvent event = Sources.read(
                source, "{\"ts\":5000,\"user\":\"anna\",\"uri\":\"/v1/x?y\",\"app\":\"shop\",\"tier\":\"gold\"}");

        assertThat(event.time()).isEqualTo(5000);
        assertThat(event.caller()).isEqualTo("anna");
        assertThat(event.route()).isEqualTo("/v1/{any}");
        assertThat(event.service()).isEqualTo("shop");
        assertThat(event.label("plan")).isEqualTo("gold");
    }

    @Test
    void theWeakerIdentityOfSourceAndEventWins() throws Exception {
        var source = Sources.identity(Sources.of("json"), Identity.NETWORK);

        assertThat(Sources.read(source, "{\"time\":1,\"caller\":\"a\",\"identity\":\"authenticated\"}")
                        .identity())
                .isEqualTo(Identity.NETWORK);
        assertThat(Sources.read(source, "{\"time\":1,\"caller\":\"a\",\"identity\":\"claimed\"}")
                        .identity())
                .isEqualTo(Identity.CLAIMED);
        assertThat(LogFormats.of(source).identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void aFixedServiceHoldsWhereAnEventNamesNone() throws Exception {
        var source = Sources.service(Sources.of("json"), "value:orders");

        assertThat(Sources.read(source, "{\"time\":1,\"caller\":\"a\"}").service())
                .isEqualTo("orders");
    }

    @Test
    void anEventWithoutCallerIsADeadLetter() {
        assertThatThrownBy(() -> Sources.read(Sources.of("json"), "{\"time\":1}"))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("caller");
    }

    @Test
    void anUnknownNameOfOursIsRefused() {
        assertThatThrownBy(() -> LogFormats.of(Sources.fields(Sources.of("json"), Map.of("latency", "x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'latency'")
                .hasMessageContaining("millis");
    }

    @Test
    void cost_isReadFromAFieldOfItsOwn() throws Exception {
        String line = "{'time':1772445600250,'caller':'acme','upstream_http_x_tokens':640}";
        assertThat(Sources.read(
                                Sources.fields(Sources.of("json"), Map.of("cost", "upstream_http_x_tokens")),
                                line.replace('\'', '"'))
                        .cost())
                .isEqualTo(640);
        assertThatThrownBy(() -> Sources.read(
                        Sources.fields(Sources.of("json"), Map.of("cost", "upstream_http_x_tokens")),
                        line.replace('\'', '"').replace("640", "-1")))
                .isInstanceOf(MalformedRecord.class);
    }
}

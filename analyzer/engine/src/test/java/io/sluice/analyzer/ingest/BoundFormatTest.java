package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Field;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries by which a publisher tries to accuse callers that are not its own. */
class BoundFormatTest {
    private static final SourceSettings ORDERS = Sources.service(Sources.of("json"), "value:orders");

    private static RequestEvent read(LogFormat format, String json) throws MalformedRecord {
        return format.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static String entry(String more) {
        return "{'time':1,'caller':'acme'" + more + "}";
    }

    @Test
    void entryOfAnotherService_onABoundSource_isRefused() {
        assertThatThrownBy(() -> read(LogFormats.of(ORDERS), entry(",'service':'payments'")))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage(
                        "service: the source is bound to orders by 'service: value:orders', the entry names another one");
    }

    @Test
    void entryOfAnotherService_whenNoPolicyAsksForServices_isRefusedToo() {
        LogFormat format = LogFormats.of(ORDERS);
        format.wanting(Set.of(Field.ROUTE));

        assertThatThrownBy(() -> read(format, entry(",'service':'payments'"))).isInstanceOf(MalformedRecord.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",'service':'orders'", ",'service':''", ",'service':null"})
    void entryOfTheSameServiceOrOfNone_isOfTheBoundService(String service) throws Exception {
        assertThat(read(LogFormats.of(ORDERS), entry(service)).service()).isEqualTo("orders");
    }

    @Test
    void formatOfAnAddedJar_isBoundToo() throws Exception {
        LogFormat format = LogFormats.of(Sources.service(Sources.of("tab-separated"), "value:orders"));

        assertThat(format.read("1763700000000\tacme\t200".getBytes(StandardCharsets.UTF_8))
                        .service())
                .isEqualTo("orders");
    }

    @ParameterizedTest
    @CsvSource({"allowed,10", "locked,1000000", "limited,1000000"})
    void count_upToItsBound_isRead_andAboveIsRefused(String outcome, long most) throws Exception {
        LogFormat format = LogFormats.of(Sources.of("json"));

        assertThat(read(format, entry(",'outcome':'" + outcome + "','count':" + most))
                        .count())
                .isEqualTo(most);
        assertThatThrownBy(() -> read(format, entry(",'outcome':'" + outcome + "','count':" + (most + 1))))
                .hasMessageStartingWith("count: at most " + most + " is allowed for requests that ");
    }

    @Test
    void claimedSource_itsAddressesAccuseNoCaller() throws Exception {
        LogFormat format = LogFormats.of(Sources.identity(Sources.of("json"), Identity.CLAIMED));

        RequestEvent event = read(format, entry(",'ip':'198.51.100.7'"));

        assertThat(event.ip()).isNull();
        assertThat(event.identity()).isEqualTo(Identity.CLAIMED);
    }

    @Test
    void claimedCallerOfABelievedSource_keepsTheAddressOfItsConnection() throws Exception {
        RequestEvent event =
                read(LogFormats.of(Sources.of("json")), entry(",'ip':'198.51.100.7','identity':'claimed'"));

        assertThat(event.ip()).isEqualTo("198.51.100.7");
    }

    @Test
    void claimedEcsSource_addressIsACallerAtMost() throws Exception {
        LogFormat format = LogFormats.of(Sources.identity(Sources.of("ecs"), Identity.CLAIMED));

        RequestEvent event = read(format, "{'@timestamp':'2026-11-23T10:00:00Z','client':{'ip':'198.51.100.7'}}");

        assertThat(event.caller()).isEqualTo("198.51.100.7");
        assertThat(event.ip()).isNull();
    }

    @Test
    void addressFromAFieldThatAClientWrites_isNoAttribute() throws Exception {
        SourceSettings source = Sources.fields(Sources.of("nginx-json"), Map.of("ip", "$http_x_real_ip"));

        RequestEvent event =
                read(LogFormats.of(source), "{'msec':'1.0','http_x_real_ip':'198.51.100.7','status':'200'}");

        assertThat(event.caller()).isEqualTo("198.51.100.7");
        assertThat(event.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(event.ip()).isNull();
    }

    @Test
    void addressFromSuchAField_whenItIsDeclaredAsChecked_isOne() throws Exception {
        SourceSettings mapped = Sources.fields(Sources.of("nginx-json"), Map.of("ip", "$http_x_real_ip"));
        LogFormat format = LogFormats.of(Sources.identity(mapped, Identity.NETWORK));

        RequestEvent event = read(format, "{'msec':'1.0','http_x_real_ip':'198.51.100.7','status':'200'}");

        assertThat(event.ip()).isEqualTo("198.51.100.7");
    }
}

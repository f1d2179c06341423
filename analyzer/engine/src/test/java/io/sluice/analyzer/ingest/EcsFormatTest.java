package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EcsFormatTest {
    /** A document as Elastic's nginx integration makes it (elastic.co/docs, "Nginx integration", sample event of "access"). */
    private static final String FILEBEAT = """
            {"agent":{"name":"test","type":"filebeat"},"nginx":{"access":{"remote_ip_list":["192.168.64.1"]}},
             "log":{"file":{"path":"/var/log/nginx/access.log"},"offset":2716},
             "source":{"address":"192.168.64.1","ip":"192.168.64.1"},"url":{"path":"/products/42","original":"/products/42?x=1"},
             "tags":["nginx-access"],"@timestamp":"2022-03-31T18:48:35.000Z","ecs":{"version":"8.0.0"},
             "related":{"ip":["192.168.64.1"]},"host":{"ip":["192.168.64.2"],"name":"test"},
             "http":{"request":{"method":"GET","referrer":"-"},"response":{"status_code":200,"body":{"bytes":615}},"version":"1.1"},
             "event":{"category":["web"],"kind":"event","outcome":"success","created":"2022-03-31T18:48:36.321Z"},
             "user_agent":{"original":"curl/7.79.1","device":{"name":"Other"}}}""";
    /** Fields and examples of the ECS reference (elastic.co/guide/en/ecs: Base, Client, HTTP, URL, Event, Service), dotted. */
    private static final String DOTTED = """
            {"@timestamp":"2016-05-23T08:05:34.853Z","ecs.version":"1.2.0","log.level":"INFO","message":"GET /search",
             "service.name":"elasticsearch-metrics","client.ip":"203.0.113.9","source.ip":"10.0.0.1",
             "http.request.method":"POST","http.response.status_code":404,"http.response.body.bytes":887,"http.response.bytes":1437,
             "url.original":"https://www.elastic.co:443/search?q=elasticsearch#top","event.duration":1500000}""";

    private static final Map<String, String> LEAVES = leaves();

    private static RequestEvent read(String line, String... caller) throws MalformedRecord {
        return Sources.read(Sources.of("ecs", caller), line);
    }

    @Test
    void aNestedDocumentBecomesAnEvent() throws Exception {
        RequestEvent event = read(FILEBEAT);

        assertThat(Instant.ofEpochMilli(event.time())).isEqualTo("2022-03-31T18:48:35Z");
        assertThat(event.caller()).isEqualTo("192.168.64.1");
        assertThat(event.ip()).isEqualTo("192.168.64.1");
        assertThat(event.identity()).isEqualTo(Identity.NETWORK);
        assertThat(event.method()).isEqualTo("GET");
        assertThat(event.route()).isEqualTo("/products/{id}");
        assertThat(event.status()).isEqualTo(200);
        assertThat(event.bytes()).isEqualTo(615);
        assertThat(event.micros()).isZero();
        assertThat(event.service()).isNull();
    }

    @Test
    void aDocumentWithDottedKeysBecomesAnEvent() throws Exception {
        RequestEvent event = read(DOTTED);

        assertThat(Instant.ofEpochMilli(event.time())).isEqualTo("2016-05-23T08:05:34.853Z");
        assertThat(event.caller()).isEqualTo("203.0.113.9");
        assertThat(event.service()).isEqualTo("elasticsearch-metrics");
        assertThat(event.method()).isEqualTo("POST");
        assertThat(event.route()).isEqualTo("/search");
        assertThat(event.status()).isEqualTo(404);
        assertThat(event.bytes()).isEqualTo(887);
        assertThat(event.micros()).isEqualTo(1500);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itIsTheSameEventHoweverItsNamesAreSplitIntoObjects(long seed) throws Exception {
        Random random = new Random(seed);
        LogFormat format = LogFormats.of(Sources.of("ecs"));
        RequestEvent expected = format.read(bytes(split(LEAVES, name -> false)));

        for (int i = 0; i < 2000; i++) {
            String line = split(LEAVES, name -> random.nextBoolean());

            assertThat(format.read(bytes(line))).as("seed %d: %s", seed, line).isEqualTo(expected);
        }
    }

    @Test
    void theCallerIsTheFieldThatTheSourceSays() throws Exception {
        String line = DOTTED.replace("\"ecs.version\"", "\"user\":{\"name\":\"anna\"},\"ecs.version\"");

        assertThat(read(line, "user.name", "client.ip"))
                .extracting(RequestEvent::caller, RequestEvent::identity)
                .containsExactly("anna", Identity.CLAIMED);
        assertThat(read(line, "source.ip"))
                .extracting(RequestEvent::caller, RequestEvent::ip, RequestEvent::identity)
                .containsExactly("10.0.0.1", "203.0.113.9", Identity.NETWORK);
        assertThat(read(line, "user.id", "client.ip").caller()).isEqualTo("203.0.113.9");
    }

    @Test
    void theServiceIsWhatTheSourceSaysElseItsOwnName() throws Exception {
        var fixed = Sources.service(Sources.of("ecs"), "value:shop");
        var host = Sources.service(Sources.of("ecs"), "host.name");

        assertThat(Sources.read(fixed, DOTTED).service()).isEqualTo("shop");
        assertThat(Sources.read(host, FILEBEAT).service()).isEqualTo("test");
    }

    @Test
    void labelsAndFieldsMayStandDeep() throws Exception {
        var source = Sources.labels(
                Sources.fields(Sources.of("ecs"), Map.of("millis", "labels.took", "route", "transaction.name")),
                Map.of("agent", "user_agent.device.name"));

        RequestEvent event = Sources.read(
                source,
                FILEBEAT.replace(
                        "\"tags\":", "\"labels\":{\"took\":\"2000000\"},\"transaction\":{\"name\":\"/x\"},\"tags\":"));

        assertThat(event.micros()).isEqualTo(2000);
        assertThat(event.route()).isEqualTo("/x");
        assertThat(event.labels()).isEqualTo(Map.of("agent", "Other"));
    }

    @ParameterizedTest
    @CsvSource({"999, 0", "1000, 1", "1001, 1", "3600000000000, 3600000000", "'\"4000000\"', 4000", "null, 0"})
    void durationsAreNanoseconds(String nanos, long micros) throws Exception {
        assertThat(read(DOTTED.replace("1500000", nanos)).micros()).isEqualTo(micros);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"message\":\"started\",\"@timestamp\":\"2022-03-31T18:48:35Z\"}|caller: no client.ip and none of the other",
                "{\"client\":{\"ip\":\"192.0.2.1\"}}|time: there is none",
                "{\"client\":{\"ip\":\"192.0.2.1\"},\"@timestamp\":\"soon\"}|@timestamp: no time such as",
                "{\"client\":{\"ip\":[\"192.0.2.1\"]},\"@timestamp\":1}|client.ip: a single value is expected",
                "{\"client\":{\"ip\":\"192.0.2.1\"},\"client.ip\":\"192.0.2.1\",\"@timestamp\":1}|client.ip: stands twice",
                "{\"client\":{\"ip\":\"192.0.2.1\"|a comma or the object's end is expected",
                "{\"client\":{\"ip\":\"192.0.2.1\"}|a comma or the object's end is expected",
                "{\"client\":{\"ip\" \"192.0.2.1\"}}|a colon is expected",
                "{\"client\":{\"ip\":\"192.0.2.1\"}} {}|nothing behind the object",
                "{\"client\":{\"ip\":\"192.0.2.1\"},\"@timestamp\":1,\"http\":{\"response\":{\"status_code\":{}}}}|http.response.status_code: a single value",
                "{\"client\":{\"ip\":\"192.0.2.1\"},\"@timestamp\":1,\"event\":{\"duration\":1.5}}|event.duration: a whole number of nanoseconds",
                "{\"client\":{\"ip\":\"192.0.2.1\"},\"@timestamp\":1,\"event.duration\":-1}|event.duration: a whole number of nanoseconds",
            })
    void whatIsNoLineIsADeadLetterWithItsReason(String line, String reason) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(MalformedRecord.class).hasMessageContaining(reason);
    }

    @Test
    void aReaderGoesOnAfterABrokenLineAsIfNothingHadBeen() throws Exception {
        LogFormat format = LogFormats.of(Sources.of("ecs"));
        RequestEvent expected = format.read(bytes(FILEBEAT));

        assertThatThrownBy(() -> format.read(bytes("{\"http\":{\"request\":{\"method\":\"GET")))
                .isInstanceOf(MalformedRecord.class);

        assertThat(format.read(bytes(FILEBEAT))).isEqualTo(expected);
    }

    @Test
    void whatNobodyWantsIsPassedOverHoweverDeepOrLong() throws Exception {
        String deep = "{\"a\":".repeat(15) + "1" + "}".repeat(15);
        String name = "x".repeat(300);

        RequestEvent event = read(FILEBEAT.replace(
                "\"tags\":",
                "\"a\":" + deep + ",\"" + name + "\":1,\"http" + name
                        + "\":{\"b\":2},\"http.\":{\"request\":{}},\"\":{\"\":{}},\"tags\":"));

        assertThat(event).isEqualTo(read(FILEBEAT));
    }

    private static byte[] bytes(String line) {
        return line.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static Map<String, String> leaves() {
        Map<String, String> leaves = new LinkedHashMap<>();
        leaves.put("@timestamp", "\"2016-05-23T08:05:34.853Z\"");
        leaves.put("client.ip", "\"203.0.113.9\"");
        leaves.put("client.geo.city_name", "\"Montreal\"");
        leaves.put("http.request.method", "\"GET\"");
        leaves.put("http.request.body.bytes", "887");
        leaves.put("http.response.status_code", "429");
        leaves.put("http.response.body.bytes", "12");
        leaves.put("url.path", "\"/a/1\"");
        leaves.put("event.duration", "7000");
        leaves.put("service.name", "\"shop\"");
        return leaves;
    }

    private interface Choice {
        boolean nest(String name);
    }

    /** The members as an object; where the choice falls so, those that begin alike stand in an object of their own. */
    private static String split(Map<String, String> members, Choice choice) {
        Map<String, Map<String, String>> nested = new LinkedHashMap<>();
        List<String> written = new ArrayList<>();
        members.forEach((name, value) -> {
            int dot = name.indexOf('.');
            if (dot > 0 && choice.nest(name)) {
                nested.computeIfAbsent(name.substring(0, dot), key -> new LinkedHashMap<>())
                        .put(name.substring(dot + 1), value);
            } else {
                written.add("\"" + name + "\" : " + value);
            }
        });
        nested.forEach((name, inner) -> written.add("\"" + name + "\":" + split(inner, choice)));
        return "{" + String.join(", ", written) + "}";
    }

    @Test
    void cost_isReadFromAFieldOfItsOwn() throws Exception {
        String line =
                "{'@timestamp':'2026-03-02T10:00:00.250Z','source':{'ip':'192.0.2.9'},'upstream_http_x_tokens':640}";
        assertThat(Sources.read(
                                Sources.fields(Sources.of("ecs"), Map.of("cost", "upstream_http_x_tokens")),
                                line.replace('\'', '"'))
                        .cost())
                .isEqualTo(640);
        assertThatThrownBy(() -> Sources.read(
                        Sources.fields(Sources.of("ecs"), Map.of("cost", "upstream_http_x_tokens")),
                        line.replace('\'', '"').replace("640", "-1")))
                .isInstanceOf(MalformedRecord.class);
    }
}

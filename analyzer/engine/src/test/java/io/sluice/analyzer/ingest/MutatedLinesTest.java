package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever bytes come, there is an event or a reason. */
@Tag(Seeds.TAG)
class MutatedLinesTest {
    private static final Map<String, String> LINES = Map.of(
            "combined",
            "\"203.0.113.9 - anna [12/May/2024:00:00:17 +0000] \"GET /a\\x22/\\\"b?c=d HTTP/1.1\" 200 59 \"-\" \"curl \\\"7\"\"",
            "nginx-json",
            "{\"remote_addr\":\"2001:db8::1\",\"msec\":\"1763699999.123\",\"request\":\"GET /\\u00e9\\x41\\ud83d\\ude00/1 HTTP/1.1\","
                    + "\"status\":\"200\",\"body_bytes_sent\":12,\"request_time\":\"0.004\",\"n\":[{\"a\":null}],\"http_x\":\"\\\\\"}",
            "envoy-json",
            "{\"start_time\":\"2016-04-15T20:17:00.310Z\",\"method\":\"POST\",\"path\":\"/a\\u00e9/1\",\"response_code\":204,"
                    + "\"bytes_sent\":0,\"duration\":226,\"x_forwarded_for\":null,\"downstream_remote_address\":\"10.0.35.28:1\"}",
            "ecs",
            "{\"@timestamp\":\"2022-03-31T18:48:35.000Z\",\"http\":{\"request\":{\"method\":\"GET\"},\"response.status_code\":200,"
                    + "\"response\":{\"body\":{\"bytes\":\"615\"}}},\"x\":[{\"}\":1}],\"url\":{\"path\":\"/\\\"a\"},\"event\":{\"duration\":15000},"
                    + "\"source\":{\"ip\":\"::1\"}}",
            "json",
            "{\"time\":1763699999123,\"caller\":\"acme\",\"route\":\"/o/1\",\"ip\":\"::1\",\"status\":200,\"bytes\":5,\"millis\":1.5,"
                    + "\"count\":2,\"identity\":\"network\",\"labels\":{\"plan\":\"gold\"},\"x\":[1,{}]}");

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @ValueSource(strings = {"combined", "nginx-json", "json", "envoy-json", "ecs"})
    void aMutatedLineIsAnEventOrADeadLetterAndNothingElse(String format) {
        LogFormat reader = LogFormats.of(Sources.labels(Sources.of(format), Map.of()));
        AtomicInteger events = new AtomicInteger();
        int deadLetters = Fuzzing.run(
                "format-" + format,
                List.of(LINES.get(format).getBytes(StandardCharsets.UTF_8)),
                MalformedRecord.class,
                line -> {
                    RequestEvent event = reader.read(line);
                    assertThat(event.caller()).isNotEmpty();
                    events.incrementAndGet();
                });
        // both happen, or nothing was shown
        assertThat(events).hasValueGreaterThan(100);
        assertThat(deadLetters).isGreaterThan(100);
    }
}

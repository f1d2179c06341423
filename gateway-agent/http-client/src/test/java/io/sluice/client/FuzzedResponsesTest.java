package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a server answers may be anything. */
@Tag(Seeds.TAG)
class FuzzedResponsesTest {
    private static final List<byte[]> FIELDS = List.of(
            "\"plans\";r=0;t=30, \"other\";r=5".getBytes(StandardCharsets.ISO_8859_1),
            "\"plans\";q=100;w=60;pk=:YWNtZQ==:, burst;q=5.125".getBytes(StandardCharsets.ISO_8859_1),
            "120".getBytes(StandardCharsets.ISO_8859_1),
            "Fri, 31 Dec 2027 23:59:59 GMT".getBytes(StandardCharsets.ISO_8859_1),
            "Friday, 31-Dec-27 23:59:59 GMT".getBytes(StandardCharsets.ISO_8859_1),
            "Fri Dec 31 23:59:59 2027".getBytes(StandardCharsets.ISO_8859_1),
            "(\"a\" 1 ?1 @1659578233);x=-9.5, *tok/en:;a;b=?0".getBytes(StandardCharsets.ISO_8859_1));

    private static final class NeverThrown extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    void headers_areAdviceOrIgnored() {
        Instant now = Instant.parse("2026-11-23T00:00:00Z");
        int refused = Fuzzing.run("response-headers", FIELDS, NeverThrown.class, input -> {
            String value = new String(input, StandardCharsets.ISO_8859_1);
            for (String name : List.of("Retry-After", "RateLimit", "RateLimit-Policy", "Date")) {
                HttpHeaders headers = HttpHeaders.of(
                        name.equals("RateLimit-Policy")
                                ? Map.of(name, List.of(value), "RateLimit", List.of("\"plans\";r=0;t=3"))
                                : Map.of(name, List.of(value), "RateLimit-Policy", List.of("\"plans\";q=5;w=9")),
                        (a, b) -> true);
                assertThat(RetryAdvice.of(429, headers, now)).isNotNull();
            }
            StructuredFieldList.parse(value);
            HttpDate.parse(value, now);
        });
        assertThat(refused).isZero();
    }
}

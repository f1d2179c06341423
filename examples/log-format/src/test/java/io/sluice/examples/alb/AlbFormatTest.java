package io.sluice.examples.alb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlbFormatTest {
    /** The examples of AWS's documentation ("Example log entries"). */
    static final String HTTP =
            "http 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80"
                    + " 0.000 0.001 0.000 200 200 34 366 \"GET http://www.example.com:80/ HTTP/1.1\" \"curl/7.46.0\" - -"
                    + " arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067"
                    + " \"Root=1-58337262-36d228ad5d99923122bbe354\" \"-\" \"-\" 0 2018-07-02T22:22:48.364000Z \"forward\" \"-\" \"-\""
                    + " \"10.0.0.1:80\" \"200\" \"-\" \"-\"";

    private static final String HTTP_2 =
            "h2 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 10.0.1.252:48160"
                    + " 10.0.0.66:9000 0.000 0.002 0.000 200 200 5 257 \"GET https://10.0.2.105:773/orders/17?x=1 HTTP/2.0\""
                    + " \"curl/7.46.0\" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn \"Root=1\" \"-\" \"-\" 1";

    /** No target took it: it has no times, and no answer of a target's. */
    private static final String UNSERVED =
            "http 2018-11-30T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 -"
                    + " 0.000 -1 -1 502 - 34 366 \"GET http://www.example.com:80/ HTTP/1.1\" \"curl/7.46.0\" - -";

    static SourceSettings source(String service, List<String> caller) {
        return new SourceSettings("alb", "alb", caller, service, null, Set.of(429), Map.of(), Map.of(), List.of());
    }

    private static RequestEvent read(String line) throws MalformedRecord {
        return LogFormats.of(source(null, List.of())).read(line.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aLineBecomesAnEvent() throws Exception {
        RequestEvent event = read(HTTP_2);

        assertThat(Instant.ofEpochMilli(event.time())).isEqualTo("2018-07-02T22:23:00.186Z");
        assertThat(event.caller()).isEqualTo("10.0.1.252");
        assertThat(event.ip()).isEqualTo("10.0.1.252");
        assertThat(event.identity()).isEqualTo(Identity.NETWORK);
        assertThat(event.method()).isEqualTo("GET");
        assertThat(event.route()).isEqualTo("/orders/{id}");
        assertThat(event.status()).isEqualTo(200);
        assertThat(event.bytes()).isEqualTo(257);
        assertThat(event.micros()).isEqualTo(2000);
    }

    @Test
    void anIpv6CallerIsItsNetwork_asAtTheGates() throws Exception {
        RequestEvent event = read(HTTP_2.replace("10.0.1.252:48160", "[2001:db8:1:2::7]:48160"));

        assertThat(event.caller()).isEqualTo("2001:db8:1:2::/64");
        assertThat(event.ip()).isEqualTo("2001:db8:1:2::7");
    }

    @Test
    void theServiceIsWhatTheSourceSays() throws Exception {
        byte[] line = HTTP.getBytes(StandardCharsets.UTF_8);

        assertThat(LogFormats.of(source("value:shop", List.of())).read(line).service())
                .isEqualTo("shop");
        assertThat(read(HTTP).service()).isNull();
    }

    @Test
    void whatNoTargetServedHasTheTimeThatItTook() throws Exception {
        RequestEvent event = read(UNSERVED);

        assertThat(event.status()).isEqualTo(502);
        assertThat(event.micros()).isZero();
        assertThat(read(UNSERVED.replace("502 -", "- -")).status()).isZero();
        assertThat(read(UNSERVED.replace("502 -", "429 -")).rejected()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|only 0 fields, 13 are expected",
                "http 2018 lb|only 3 fields",
                "t noon lb 192.0.2.1:80 - 0 0 0 200 - 1 2 \"GET / HTTP/1.1\"|time: one such as",
                "t 2018-07-02T22:23:00Z lb client - 0 0 0 200 - 1 2 \"GET / HTTP/1.1\"|client: an address",
                "t 2018-07-02T22:23:00Z lb 192.0.2.1:80 - 0 x 0 200 - 1 2 \"GET / HTTP/1.1\"|durations: seconds",
                "t 2018-07-02T22:23:00Z lb 192.0.2.1:80 - 0 0 0 OK - 1 2 \"GET / HTTP/1.1\"|elb_status_code: a number",
                "t 2018-07-02T22:23:00Z lb 192.0.2.1:80 - 0 0 0 200 - 1 -2 \"GET / HTTP/1.1\"|sent_bytes: a number",
                "t 2018-07-02T22:23:00Z lb 192.0.2.1:80 - 0 0 0 200 - 1 2 \"GET /\"|request: METHOD URL PROTOCOL",
            })
    void whatIsNoLineIsADeadLetterWithItsReason(String line, String reason) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(MalformedRecord.class).hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void whateverBytesComeThereIsAnEventOrAReason(long seed) {
        Random random = new Random(seed);
        LogFormat format = LogFormats.of(source(null, List.of()));
        int[] outcomes = new int[2];
        for (int i = 0; i < 20_000; i++) {
            byte[] line = HTTP_2.getBytes(StandardCharsets.UTF_8);
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                line[random.nextInt(line.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(256) : " \"-:0".charAt(random.nextInt(5)));
            }
            try {
                assertThat(format.read(line).caller()).isNotEmpty();
                outcomes[0]++;
            } catch (MalformedRecord e) {
                assertThat(e.getMessage()).isNotBlank();
                outcomes[1]++;
            }
        }
        assertThat(outcomes[0]).isGreaterThan(400);
        assertThat(outcomes[1]).isGreaterThan(400);
    }

    @Test
    void theSourceOfTheReadmeIsRead(@TempDir Path folder) throws Exception {
        Matcher source = Pattern.compile("`(sources: [^`]*)`").matcher(Files.readString(Path.of("README.md")));
        assertThat(source.find()).isTrue();

        SluiceSettings settings =
                SluiceSettings.read(Files.writeString(folder.resolve("sluice.yml"), source.group(1)), Map.of());

        assertThat(LogFormats.of(settings.sources().get(0))
                        .read(HTTP.getBytes(StandardCharsets.UTF_8))
                        .service())
                .isEqualTo("shop");
    }

    @Test
    void settingsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> LogFormats.of(source(null, List.of("user"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("caller: an alb log knows only the client's address");
        assertThatThrownBy(() -> LogFormats.of(source("host", List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value:NAME");
    }
}

package io.sluice.accesslogs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real nginx writes the log, something else carries it to Kafka, and the analyzer locks the caller with too many requests. */
@Tag("server")
class NginxLogTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Map<String, Integer> CLIENTS =
            Map.of(Crowd.NOISY, 11, "globex", 12, "initech", 13, "umbrella", 14);

    @TempDir
    Path folder;

    @BeforeAll
    static void theProgramsAreThere() {
        Program.needed("nginx", "nginx");
        Rsyslog.needed();
        Program.needed("kcat", "kcat");
    }

    @Test
    void givenRsyslogCarriesLinesOfJsonWhenOneAddressCrowdsThenItAloneIsRejected() throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder, Settings.quoted("sources:"));
                GuardedService service = new GuardedService(neighbourhood.bootstrap());
                Nginx nginx = Nginx.start(folder, service.location());
                Rsyslog rsyslog = Rsyslog.start(folder, nginx.log(), neighbourhood.bootstrap())) {
            Crowd.Told told = crowd(nginx);

            assertItAloneWasRejected(told);
            assertThat(rsyslog.alive()).isTrue();
            assertThat(Kcat.read(neighbourhood.bootstrap(), "sluice.gate-locks"))
                    .anyMatch(line -> line.contains("127.0.0.11") && line.contains("\"mode\":\"block\""))
                    .noneMatch(line -> line.contains("127.0.0.12"));
        }
    }

    @Tag("full")
    @Test
    void givenKcatCarriesCombinedLinesWhenOneAddressCrowdsThenItAloneIsRejected() throws Exception {
        try (Neighbourhood neighbourhood =
                        Neighbourhood.open(folder, Settings.quoted("sources:").replace("nginx-json", "combined"));
                GuardedService service = new GuardedService(neighbourhood.bootstrap());
                Nginx nginx = Nginx.start(folder, service.location());
                Program kcat = Kcat.follow(folder, nginx.combined(), neighbourhood.bootstrap(), "sluice.requests")) {
            assertItAloneWasRejected(crowd(nginx));
            assertThat(kcat.alive()).isTrue();
        }
    }

    private static Crowd.Told crowd(Nginx nginx) throws Exception {
        List<Integer> known = List.of(200, 429);
        return Crowd.ask(
                caller -> {
                    int status = nginx.ask(CLIENTS.get(caller), "/orders/17");
                    assertThat(status).isIn(known);
                    return status == 200;
                },
                PATIENCE);
    }

    private static void assertItAloneWasRejected(Crowd.Told told) {
        assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
        assertThat(told.noisyRejected()).isPositive();
        assertThat(told.neighboursAllowed()).isPositive();
        assertThat(told.neighboursRejected()).isZero();
    }
}

package io.sluice.accesslogs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.KafkaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that rsyslog reads while there is no broker: they are kept, over a restart of rsyslog too, and arrive later. */
@Tag("server")
class BrokerDownTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOPIC = "sluice.requests";

    @TempDir
    Path folder;

    @BeforeAll
    static void theProgramsAreThere() {
        Program.needed("nginx", "nginx");
        Rsyslog.needed();
        Program.needed("kcat", "kcat");
    }

    @Tag("full")
    @Test
    void givenABrokerThatDiesWhenRsyslogRunsOnAndIsRestartedThenEveryLineArrivesWhenItIsBack() throws Exception {
        try (KafkaProcess broker = KafkaProcess.builder()
                        .property("auto.create.topics.enable", "true")
                        .property("num.partitions", "3")
                        .start();
                Nginx nginx = Nginx.start(folder, "return 204;");
                Rsyslog rsyslog = Rsyslog.start(folder, nginx.log(), broker.bootstrapServers())) {
            ask(nginx, "before", 100);
            await("lines before").atMost(PATIENCE).until(() -> arrived(broker, "before") == 100);

            broker.kill();
            ask(nginx, "dead", 100);
            await("nginx's lines").atMost(PATIENCE).until(() -> lines(nginx) >= 200);
            rsyslog.restart();
            ask(nginx, "restarted", 100);
            assertThat(rsyslog.alive()).isTrue();
            broker.restart();
            ask(nginx, "back", 100);

            for (String when : List.of("dead", "restarted", "back")) {
                await("lines '" + when + "'")
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(arrived(broker, when))
                                .as("rsyslog says: %s", rsyslog.messages())
                                .isEqualTo(100));
            }
            // its client chooses a partition for each batch, so a few batches may miss one
            await("a line in every partition").atMost(PATIENCE).until(() -> {
                ask(nginx, "more", 10);
                return Kcat.read(broker.bootstrapServers(), TOPIC).stream()
                                .map(line -> line.charAt(0))
                                .distinct()
                                .count()
                        == 3;
            });
        }
    }

    @Test
    @Tag("full")
    void givenAClientThatWritesAsMuchAsNginxTakesWhenItIsLoggedThenItsLineIsOneRecord() throws Exception {
        try (KafkaProcess broker = KafkaProcess.builder()
                        .property("auto.create.topics.enable", "true")
                        .start();
                Nginx nginx = Nginx.start(folder, "return 204;");
                Rsyslog rsyslog = Rsyslog.start(folder, nginx.log(), broker.bootstrapServers())) {
            int status = nginx.ask(1, "/long/" + "\"\u0001".repeat(3800));
            int hidden = nginx.ask(1, "/" + "./".repeat(4000) + "hidden/1");
            nginx.ask(1, "/after/1");

            await("all lines").atMost(PATIENCE).until(() -> arrived(broker, "after") == 1);
            assertThat(status).isBetween(200, 499);
            assertThat(hidden).isEqualTo(204);
            assertThat(Kcat.read(broker.bootstrapServers(), TOPIC)).anyMatch(line -> line.contains("./hidden/1\""));
            assertThat(rsyslog.alive()).isTrue();
            assertThat(Kcat.read(broker.bootstrapServers(), TOPIC))
                    .allMatch(line -> line.matches("\\d \\{.*\\}"))
                    .hasSize((int) lines(nginx));
        }
    }

    private static void ask(Nginx nginx, String what, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            assertThat(nginx.ask(1, "/" + what + "/" + i)).isEqualTo(204);
        }
    }

    /** How many different lines of these requests are on the topic. */
    private static long arrived(KafkaProcess broker, String what) throws Exception {
        return Kcat.read(broker.bootstrapServers(), TOPIC).stream()
                .filter(line -> line.contains("\"/" + what + "/"))
                .map(line -> line.substring(2))
                .distinct()
                .count();
    }

    private static long lines(Nginx nginx) throws Exception {
        try (var lines = Files.lines(nginx.log())) {
            return lines.count();
        }
    }
}

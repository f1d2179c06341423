package io.sluice.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.neighbours.Neighbourhood;
import io.sluice.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent in other people's JVMs: two agents in each, against a real broker and a real analyzer, from their start to their end. All
 * hosts live at the same time. The default build tries the oldest libraries.
 */
class HostsTest {
    private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));
    private static final Path JAVA_25 = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64");
    private static final String LOGS = "latest-libraries-with-a-log-back-end";
    private static final String LEAST = "least-libraries";
    private static final String REFUSED = "refused-libraries";
    private static final String NEWER_JAVA = "java-25";
    private static final String FORGETFUL = "forgetful";

    @TempDir
    static Path folder;

    private static Neighbourhood neighbourhood;
    private static final Map<String, Host> HOSTS = new HashMap<>();

    @BeforeAll
    static void hostsStart() throws Exception {
        neighbourhood = Neighbourhood.open(folder);
        List<String> names = new ArrayList<>(List.of(LEAST, REFUSED, LOGS, FORGETFUL));
        kafkas().forEach(kafka -> names.add("kafka-" + kafka));
        if (Files.isDirectory(JAVA_25)) {
            names.add(NEWER_JAVA);
        }
        for (String name : names.subList(0, Seeds.of(2, names.size()))) {
            host(name);
        }
    }

    private static Host host(String name) throws Exception {
        if (!HOSTS.containsKey(name)) {
            HOSTS.put(name, start(name));
        }
        return HOSTS.get(name);
    }

    private static Host start(String name) throws Exception {
        return switch (name) {
            case LOGS -> start(name, OWN_JAVA, Host.libraries("latest"), true, "close");
            case LEAST -> start(name, OWN_JAVA, Host.libraries("least"), false, "close");
            case REFUSED -> start(name, OWN_JAVA, Host.libraries("refused"), false, "leave");
            case FORGETFUL -> start(name, OWN_JAVA, Host.kafkaClients(Host.ownKafka()), false, "leave");
            case NEWER_JAVA -> start(name, JAVA_25, Host.kafkaClients(Host.ownKafka()), false, "close");
            default -> start(name, OWN_JAVA, Host.kafkaClients(name.substring("kafka-".length())), false, "close");
        };
    }

    /** The versions of kafka-clients that the build has put there. */
    static List<String> kafkas() {
        return Host.kafkas();
    }

    private static Host start(String name, Path java, List<Path> libraries, boolean backEnd, String end)
            throws Exception {
        return Host.start(folder, java, libraries, backEnd, neighbourhood.bootstrap(), name, end);
    }

    @AfterAll
    static void allEnd() {
        HOSTS.values().forEach(Host::close);
        if (neighbourhood != null) {
            neighbourhood.close();
        }
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("kafkas")
    void givenAHostsOwnKafkaClientsWhenTwoAgentsLiveInItThenBothWorkAndNothingIsLeft(String kafka) throws Exception {
        Host host = host("kafka-" + kafka);

        assertThat(kafkas())
                .as("an old one, and ours")
                .anyMatch(it -> it.startsWith("3.9."))
                .contains(Host.ownKafka());
        assertBothWorkedAndNothingIsLeft(host);
        assertThat(host.complaints().lines())
                .as("slf4j's own note, and no more")
                .allMatch(line -> line.startsWith("SLF4J"));
    }

    @Test
    void leastLibraries_bothAgentsWork() throws Exception {
        Host host = host(LEAST);

        assertBothWorkedAndNothingIsLeft(host);
        assertThat(host.complaints().lines()).allMatch(line -> line.startsWith("SLF4J"));
    }

    @Test
    void olderLibraries_areRefusedWithTheirVersionsAndPlaces() throws Exception {
        Host host = host(REFUSED);

        assertThat(host.told()).isEmpty();
        assertThat(host.complaints())
                .contains("IllegalStateException")
                .contains(
                        "kafka-clients 3.8.1 is too old, the agent needs 3.9.0 or newer",
                        "refused/kafka-clients-3.8.1.jar")
                .contains(
                        "jackson-core 2.15.4 is too old, the agent needs 2.16.0 or newer",
                        "refused/jackson-core-2.15.4.jar")
                .contains(
                        "slf4j-api 1.7.14 is too old, the agent needs 1.7.15 or newer", "refused/slf4j-api-1.7.14.jar")
                .doesNotContain("Error");
        assertThat(host.exitCode()).isEqualTo(1);
    }

    @Tag("full")
    @Test
    void givenALogBackEndWhenTwoAgentsLiveInOneJvmThenNothingIsSaidOfBeansThatAreThereAlready() throws Exception {
        Host host = host(LOGS);

        assertBothWorkedAndNothingIsLeft(host);
        assertThat(host.complaints()).doesNotContainIgnoringCase("mbean").doesNotContain("AlreadyExists");
    }

    @Tag("full")
    @Test
    void givenAHostThatForgetsToCloseWhenItsMainEndsThenItEnds() throws Exception {
        Host host = host(FORGETFUL);

        assertThat(host.told()).containsEntry("fresh", "true");
        assertThat(host.exitCode()).isZero();
    }

    @Tag("full")
    @Test
    void givenJava25WhenVirtualThreadsAskThenNoneHoldsItsCarrier() throws Exception {
        assumeTrue(Files.isDirectory(JAVA_25), JAVA_25 + " is not there: not tried");
        Host host = host(NEWER_JAVA);

        assertBothWorkedAndNothingIsLeft(host);
        assertThat(host.told()).containsEntry("virtualChecks", "40000").containsEntry("pinned", "0");
        assertThat(host.complaints().lines()).allMatch(line -> line.startsWith("SLF4J"));
    }

    private static void assertBothWorkedAndNothingIsLeft(Host host) throws Exception {
        Map<String, String> told = host.told();
        assertThat(told.get("optional"))
                .as(
                        "neither Micrometer nor OpenTelemetry nor a servlet API is there; it complained: %s",
                        host.complaints())
                .isEqualTo("[]");
        assertThat(told)
                .as("what it told; it complained: %s; %s", host.complaints(), neighbourhood)
                .containsEntry("fresh", "true")
                .containsEntry("locked", "true")
                .containsEntry("lockedInTheOtherAgent", "true")
                .containsEntry("neighbourAllowed", "true")
                .containsEntry("sent", "true")
                .containsEntry("failures", "0")
                .containsEntry("drops", "0")
                .containsEntry("lasting", "[]")
                .containsEntry("threadsLeft", "[]")
                .containsEntry("beansLeft", "[]")
                .containsEntry("stillAnswers", "true");
        assertThat(Integer.parseInt(told.get("beans")))
                .as("Kafka's own, while it ran")
                .isPositive();
        assertThat(host.exitCode()).isZero();
    }
}

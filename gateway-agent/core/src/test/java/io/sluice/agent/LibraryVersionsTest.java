package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions themselves are tried by {@code HostsTest} in testing/compatibility. */
class LibraryVersionsTest {
    @ParameterizedTest
    @CsvSource({
        "2.15.4, 2.16.0, true",
        "2.16.0, 2.16.0, false",
        "2.16, 2.16.0, false",
        "2.16.0-rc1, 2.16.0, false",
        "2.9.9, 2.16.0, true",
        "10.0.0, 2.16.0, false",
        "3.8.1.redhat-00005, 3.9.0, true",
        "7.9.0-ccs, 3.9.0, false",
        "unknown, 3.9.0, false",
        "'', 3.9.0, false",
        "99999999999.1, 3.9.0, false",
    })
    void older_comparesNumbers(String found, String least, boolean older) {
        assertThat(LibraryVersions.older(found, least)).isEqualTo(older);
    }

    @Test
    void versionsInUse_areAccepted() {
        LibraryVersions.check();
    }

    @Test
    void documentsAndTestedVersions_areTheseVersions() throws Exception {
        Path agent = Path.of("..").toRealPath();
        String pom = Files.readString(agent.resolve("../testing/compatibility/pom.xml"));
        String page = Files.readString(agent.resolve("../docs/integration/jvm.md"));

        assertThat(pom)
                .contains("<kafka.least>" + LibraryVersions.KAFKA_CLIENTS + "</kafka.least>")
                .contains("<jackson.least>" + LibraryVersions.JACKSON_CORE + "</jackson.least>")
                .contains("<slf4j.least>" + LibraryVersions.SLF4J_API + "</slf4j.least>");
        assertThat(page)
                .contains("| `kafka-clients` | " + LibraryVersions.KAFKA_CLIENTS + " or newer")
                .contains("| `jackson-core` | " + LibraryVersions.JACKSON_CORE + " or newer")
                .contains("| `slf4j-api` | " + LibraryVersions.SLF4J_API + " or newer");
    }
}

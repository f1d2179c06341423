package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceCheckTest {
    private static final SourceSettings SOURCE =
            new SourceSettings("requests", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());

    private SourceCheck check = new SourceCheck(SOURCE, Pseudonyms.NONE);

    @Test
    void aSourceThatHoldsNothingIsDoubtful() {
        assertThat(check.symptoms()).singleElement().satisfies(it -> {
            assertThat(it.grade()).isEqualTo(Symptom.Grade.WARN);
            assertThat(it.remedy()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({"899, OK", "900, OK", "901, FAIL"})
    void aPrivateAddressAboveNineTenthsIsTakenForALoadBalancer(int times, Symptom.Grade grade) {
        requests("10.0.0.7", times);
        for (int i = times; i < 1_000; i++) {
            requests("203.0.113." + i % 200, 1);
        }

        assertThat(check.symptoms()).extracting(Symptom::grade).containsExactly(grade);
    }

    @Test
    void thePrivateAddressIsNamedWithItsRemedy() {
        requests("192.168.1.1", 100);

        assertThat(check.symptoms()).singleElement().satisfies(it -> {
            assertThat(it.found()).contains("100 %", "192.168.1.1", "load balancer");
            assertThat(it.remedy()).contains("trusted-proxies");
        });
    }

    @ParameterizedTest
    @CsvSource({"203.0.113.9, 1000", "fd12::1, 99"})
    void aPublicAddressOrTooFewLinesAccuseNobody(String address, int times) {
        requests(address, times);

        assertThat(check.symptoms()).extracting(Symptom::grade).containsExactly(Symptom.Grade.OK);
    }

    @ParameterizedTest
    @CsvSource({"9, OK", "10, OK", "11, FAIL"})
    void linesThatCantBeReadAreWrongAboveOnePercent(int unreadable, Symptom.Grade grade) {
        for (int i = 0; i < unreadable; i++) {
            check.line("{}".getBytes(StandardCharsets.UTF_8));
        }
        for (int i = unreadable; i < 1_000; i++) {
            requests("203.0.113." + i % 200, 1);
        }

        assertThat(check.symptoms()).extracting(Symptom::grade).containsExactly(grade);
    }

    @Test
    void unreadableLines_areCountedWithSeparators() {
        for (int i = 0; i < 1_000; i++) {
            check.line("{}".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(check.symptoms())
                .anyMatch(it -> it.found().startsWith("1,000 of the last 1,000 lines can't be read"));
    }

    @Test
    void privateIp_callerIsAnotherAttribute_isNoLoadBalancer() {
        lines("{\"time\":1763700000000,\"caller\":\"acme\",\"ip\":\"10.0.0.7\",\"status\":200}", 1_000);

        assertThat(check.symptoms()).extracting(Symptom::grade).containsExactly(Symptom.Grade.OK);
    }

    @ParameterizedTest
    @CsvSource({"10, OK", "11, WARN"})
    void claimedCallers_aboveOnePercent_areDoubtful(int claimed, Symptom.Grade grade) {
        lines("{\"time\":1763700000000,\"caller\":\"acme\",\"identity\":\"claimed\"}", claimed);
        lines("{\"time\":1763700000000,\"caller\":\"acme\"}", 1_000 - claimed);

        assertThat(check.symptoms()).extracting(Symptom::grade).containsExactly(grade);
    }

    @Test
    void claimedCallers_ofAgents_nameTheAgentsSetting() {
        lines("{\"time\":1763700000000,\"caller\":\"acme\",\"identity\":\"claimed\",\"count\":3}", 100);
        lines("{\"time\":1763700000000,\"caller\":\"acme\"}", 100);

        assertThat(check.symptoms()).singleElement().satisfies(it -> {
            assertThat(it.found())
                    .isEqualTo("75 % of the last 400 requests have a claimed caller: policies that count by caller"
                            + " never lock for them");
            assertThat(it.remedy()).contains("agent.identity: authenticated", "sluice.agent.identity");
        });
    }

    @Test
    void claimedCallers_ofTheSource_nameItsSetting() {
        SourceSettings headers = new SourceSettings(
                "nginx",
                "nginx-json",
                List.of("http_x_api_key"),
                null,
                null,
                Set.of(429),
                Map.of(),
                Map.of(),
                List.of());
        SourceCheck nginx = new SourceCheck(headers, Pseudonyms.NONE);
        nginx.line("{\"time_iso8601\":\"2026-01-01T00:00:00+00:00\",\"http_x_api_key\":\"k\",\"status\":200}"
                .getBytes(StandardCharsets.UTF_8));

        assertThat(nginx.symptoms()).singleElement().satisfies(it -> {
            assertThat(it.found()).startsWith("100 % of the last 1 request");
            assertThat(it.remedy()).contains("identity: authenticated", "source nginx in sluice.yml");
        });
    }

    private void requests(String address, int many) {
        lines("{\"time\":1763700000000,\"caller\":\"" + address + "\",\"status\":200}", many);
    }

    private void lines(String line, int many) {
        for (int i = 0; i < many; i++) {
            check.line(line.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void names_whereThereAreKeysOfPseudonyms_areWarnedOf(@TempDir Path folder) throws Exception {
        Pseudonyms keys = Pseudonyms.read(Files.writeString(folder.resolve("keys"), "k1: " + "QUFB".repeat(11) + "\n"));
        check = new SourceCheck(SOURCE, keys);
        requests(keys.current().caller("acme"), 50);
        requests("unknown", 10);
        assertThat(check.symptoms()).extracting(Symptom::grade).containsExactly(Symptom.Grade.OK);

        requests("acme", 2);

        assertThat(check.symptoms()).singleElement().satisfies(it -> {
            assertThat(it.found())
                    .contains("2 of the last 62 requests name their caller")
                    .doesNotContain("acme");
            assertThat(it.remedy()).contains("agent.pseudonym-key-file");
        });
    }
}

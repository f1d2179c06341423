package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables of the environment: settings, misspelled ones, and those of others. */
class SettingVariablesTest extends SettingsFixture {
    @Test
    void aMisspelledVariableIsRefused() {
        InvalidSettings refused = catchThrowableOfType(
                InvalidSettings.class, () -> SluiceSettings.read(file, Map.of("SLUICE_ANALYZER_TREADS", "2")));

        assertThat(refused.problems())
                .containsExactly("unknown variable SLUICE_ANALYZER_TREADS (did you mean SLUICE_ANALYZER_THREADS?)");
    }

    @Test
    void variableOfAMisspelledSection_isIgnoredWithAWarningThatNamesTheNearest() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                file,
                Map.of(
                        "SLUICE_ANALYSER_COMMIT", "1s",
                        "SLUICE_BOOTSTRAP_SERVERS", "kafka:9092",
                        "SLUICE_POLICES", "policies.yml",
                        "SLUICE_SOURCE_3_FORMAT", "combined"));

        assertThat(settings.analyzer().commit()).isEqualTo(200);
        assertThat(settings.warnings())
                .containsExactly(
                        "SLUICE_ANALYSER_COMMIT is ignored: it is no setting; did you mean SLUICE_ANALYZER_COMMIT?",
                        "SLUICE_BOOTSTRAP_SERVERS is ignored: it is no setting; did you mean"
                                + " SLUICE_KAFKA_BOOTSTRAP_SERVERS?",
                        "SLUICE_POLICES is ignored: it is no setting; did you mean SLUICE_POLICIES?",
                        "SLUICE_SOURCE_3_FORMAT is ignored: it is no setting; did you mean SLUICE_SOURCES_3_FORMAT?");
    }

    /** Those of the launcher and of tests, and what others may set. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SLUICE_EXT",
                "SLUICE_JAVA_OPTS",
                "SLUICE_DATASETS",
                "SLUICE_HOME",
                "SLUICE_VERSION",
                "SLUICE_IMAGE",
                "SLUICE_TOKEN",
                "SLUICE_LOG_LEVEL",
                "SLUICE_",
                "SLUICE_AGENTS_SERVICE_HOST"
            })
    void variableThatResemblesNoSetting_isIgnored(String name) throws Exception {
        assertThat(SluiceSettings.read(file, Map.of(name, "x")).warnings()).isEmpty();
    }

    /** What Kubernetes sets for a Service {@code sluice-htpp} is an address. */
    @Test
    void variableOfAPort_isWarnedOf_unlessItIsTheAddressOfAService() throws Exception {
        String name = "SLUICE_HTPP_PORT";

        assertThat(SluiceSettings.read(file, Map.of(name, "8480")).warnings())
                .containsExactly(name + " is ignored: it is no setting; did you mean SLUICE_HTTP_PORT?");
        assertThat(SluiceSettings.read(file, Map.of(name, "tcp://10.0.0.1:80")).warnings())
                .isEmpty();
        assertThat(catchThrowableOfType(
                                InvalidSettings.class,
                                () -> SluiceSettings.read(file, Map.of("SLUICE_SIDECAR_PORT", "8481")))
                        .problems())
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("unknown variable SLUICE_SIDECAR_PORT");
    }

    @Test
    void variablesThatKubernetesSetsForServicesAreLeftAlone() throws Exception {
        assertThat(SluiceSettings.read(
                        file,
                        Map.of(
                                "SLUICE_ANALYZER_SERVICE_HOST", "10.0.0.1",
                                "SLUICE_ANALYZER_PORT", "tcp://10.0.0.1:80",
                                "SLUICE_ANALYZER_PORT_80_TCP_ADDR", "10.0.0.1")))
                .isNotNull();
    }

    @Test
    void serviceNamedLikeASetting_itsVariablesAreIgnoredWithAWarning() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                file,
                Map.of(
                        "SLUICE_HTTP_SERVICE_HOST", "10.0.0.1",
                        "SLUICE_HTTP_SERVICE_PORT", "80",
                        "SLUICE_HTTP_PORT", "tcp://10.0.0.1:80",
                        "SLUICE_HTTP_PORT_80_TCP", "tcp://10.0.0.1:80",
                        "SLUICE_HTTP_PORT_80_TCP_PORT", "80",
                        "SLUICE_AGENT_QUOTA_REDIS_SERVICE_HOST", "10.0.0.2",
                        "SLUICE_AGENT_QUOTA_REDIS_PORT", "udp://[fd00::2]:80"));

        assertThat(settings.http().port()).isEqualTo(8480);
        assertThat(settings.agent().quotas()).isEmpty();
        assertThat(settings.warnings())
                .contains("SLUICE_HTTP_PORT: tcp://10.0.0.1:80 is ignored: it is the address of the Kubernetes Service"
                        + " sluice-http, not a setting; enableServiceLinks: false leaves it out")
                .filteredOn(warning -> warning.contains("SLUICE_HTTP"))
                .hasSize(1);
    }

    @Test
    void portThatIsNoNumber_isRefused() {
        for (String wrong : List.of("http", "http://10.0.0.1:80", "tcp://10.0.0.1:80/x", "80 tcp")) {
            assertThat(catchThrowableOfType(
                                    InvalidSettings.class,
                                    () -> SluiceSettings.read(file, Map.of("SLUICE_HTTP_PORT", wrong)))
                            .problems())
                    .singleElement()
                    .asString()
                    .contains("http.port: found " + wrong);
        }
    }
}

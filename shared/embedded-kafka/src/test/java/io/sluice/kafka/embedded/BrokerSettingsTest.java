package io.sluice.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"node.id", "log.dirs", "process.roles", "controller.quorum.voters", "listener.name.internal.x"})
    void whatMakesTheBrokerAnEmbeddedOneCannotBeGiven(String key) {
        assertThatThrownBy(() -> new BrokerSettings(Map.of(key, "1"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
    }

    @Test
    void aUsersSettingWinsOverOurDefault() {
        BrokerSettings settings = new BrokerSettings(Map.of("num.io.threads", "8"), false);
        try (ListenerSockets sockets = ListenerSockets.bind(settings.listeners(0))) {
            assertThat(settings.complete(Path.of("data"), sockets)).containsEntry("num.io.threads", "8");
        }
    }

    @Test
    void everyStartDrawsANewPassword() {
        BrokerSettings settings = new BrokerSettings(Map.of(), false);
        String login = "listener.name.controller.plain.sasl.jaas.config";
        try (ListenerSockets sockets = ListenerSockets.bind(settings.listeners(0))) {
            assertThat(settings.complete(Path.of("data"), sockets).get(login))
                    .isNotEqualTo(settings.complete(Path.of("data"), sockets).get(login));
        }
    }

    @Test
    void severalListenersAreReadInTheirOrder() {
        List<ListenerAddress> listeners = ListenerAddress.parseAll("A://:9092, b://localhost:0,C://[::1]:65535");

        assertThat(listeners)
                .extracting(ListenerAddress::uri)
                .containsExactly("A://127.0.0.1:9092", "B://localhost:0", "C://[::1]:65535");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PLAINTEXT://0.0.0.0:9092",
                "PLAINTEXT://192.0.2.1:9092",
                "A://:65536",
                "A:9092",
                "",
                "A://127.0.0.1"
            })
    void aListenerThatIsNotOnLoopbackOrNotReadableIsRefused(String listeners) {
        assertThatThrownBy(() -> ListenerAddress.parseAll(listeners)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INTERNAL://:0", "controller://:0"})
    void theBrokersOwnListenerNamesAreTaken(String listeners) {
        BrokerSettings settings = new BrokerSettings(Map.of("listeners", listeners), false);

        assertThatThrownBy(() -> settings.listeners(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPortAndListenersTogetherAreRefused() {
        BrokerSettings settings = new BrokerSettings(Map.of("listeners", "PLAINTEXT://:0"), false);

        assertThatThrownBy(() -> settings.listeners(9092)).hasMessageContaining("9092");
    }

    @Test
    void twoListenersOfOneNameAreRefused() {
        List<ListenerAddress> twice = ListenerAddress.parseAll("A://:0,A://:0");

        assertThatThrownBy(() -> ListenerSockets.bind(twice)).hasMessageContaining("A is given twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,b", "a b", "a]", "a=b"})
    void aPasswordThatTheFormatterWouldMisreadIsRefusedWithoutShowingIt(String password) {
        assertThatThrownBy(() -> new ScramUser("user", password))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("password of user user");
    }
}

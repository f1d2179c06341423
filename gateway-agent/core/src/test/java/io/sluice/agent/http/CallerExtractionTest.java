package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.Request;
import io.sluice.contract.event.Identity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CallerExtractionTest {
    private record Door(
            String peer,
            Map<String, List<String>> fields,
            @Nullable String principal) implements HttpDoor {
        @Override
        public List<String> headers(String name) {
            return fields.getOrDefault(name, List.of());
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String method() {
            return "GET";
        }
    }

    private static Request by(String caller, @Nullable Identity identity, List<String> proxies, Door door) {
        return CallerExtraction.of(caller, identity, proxies, 64).request(door).build();
    }

    @ParameterizedTest
    @CsvSource({
        "header:X-Api-Key,, true",
        "header:X-Api-Key, CLAIMED, true",
        "header:X-Api-Key, NETWORK, false",
        "header:X-Api-Key, AUTHENTICATED, false",
        "principal,, false",
        "principal, CLAIMED, true",
        "address,, false",
        "address, CLAIMED, true"
    })
    void claimedWarning_isThereWhenCallersAreClaimedAndNamesTheSetting(
            String caller, @Nullable Identity identity, boolean warns) {
        CallerExtraction extraction = CallerExtraction.of(caller, identity, List.of(), 64);

        assertThat(extraction.claimedWarning().isPresent()).isEqualTo(warns);
        if (warns) {
            assertThat(extraction.claimedWarning().orElseThrow())
                    .contains(caller.replace("header:", "header "), "CallerExtraction.of");
            assertThat(extraction.identitySetting("my.key").claimedWarning().orElseThrow())
                    .contains("set my.key to authenticated");
        }
    }

    @Test
    void anAddressIsANetworkIdentity() {
        Request request = by("address", null, List.of(), new Door("203.0.113.9", Map.of(), null));
        assertThat(request.caller()).isEqualTo("203.0.113.9");
        assertThat(request.ip()).isEqualTo("203.0.113.9");
        assertThat(request.identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void anAddressIsNeverAuthenticatedWhateverIsConfigured() {
        Door door = new Door("203.0.113.9", Map.of(), null);
        assertThat(by("address", Identity.AUTHENTICATED, List.of(), door).identity())
                .isEqualTo(Identity.NETWORK);
        assertThat(by("address", Identity.CLAIMED, List.of(), door).identity()).isEqualTo(Identity.CLAIMED);
    }

    @Test
    void anIpv6CallerIsItsNetwork() {
        Request request = by("address", null, List.of(), new Door("2001:db8:1:2:aaaa::1", Map.of(), null));
        assertThat(request.caller()).isEqualTo("2001:db8:1:2::/64");
        assertThat(request.ip()).isEqualTo("2001:db8:1:2:aaaa::1");
    }

    @Test
    void aForwardedAddressOfAnUntrustedPeerIsNotBelieved() {
        Door door = new Door("203.0.113.9", Map.of("X-Forwarded-For", List.of("10.1.1.1")), null);
        assertThat(by("address", null, List.of(), door).caller()).isEqualTo("203.0.113.9");
        assertThat(by("address", null, List.of("192.0.2.0/24"), door).caller()).isEqualTo("203.0.113.9");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "198.51.100.7 | 198.51.100.7",
                "6.6.6.6, 198.51.100.7 | 198.51.100.7",
                "6.6.6.6, 198.51.100.7, 10.0.0.2 | 198.51.100.7",
                "nonsense | unknown",
                "198.51.100.7, nonsense | unknown",
                "::ffff:198.51.100.7 | 198.51.100.7",
            })
    void aTrustedProxyIsBelievedFromTheRight(String header, String caller) {
        Door door = new Door("10.0.0.1", Map.of("X-Forwarded-For", List.of(header)), null);
        assertThat(by("address", null, List.of("10.0.0.0/8"), door).caller()).isEqualTo(caller);
    }

    @Test
    void aHeaderIsClaimedUnlessConfigured() {
        Door door = new Door("203.0.113.9", Map.of("X-Api-Key", List.of(" acme ")), null);
        Request request = by("header:X-Api-Key", null, List.of(), door);
        assertThat(request.caller()).isEqualTo("acme");
        assertThat(request.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(by("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), door)
                        .identity())
                .isEqualTo(Identity.AUTHENTICATED);
    }

    @Test
    void aMissingHeaderIsAnAddress() {
        Door door = new Door("203.0.113.9", Map.of("X-Api-Key", List.of("  ")), null);
        Request request = by("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), door);
        assertThat(request.caller()).isEqualTo("203.0.113.9");
        assertThat(request.identity()).isEqualTo(Identity.NETWORK);
    }

    @Test
    void aPrincipalIsAuthenticated() {
        Request request = by("principal", null, List.of(), new Door("203.0.113.9", Map.of(), "acme"));
        assertThat(request.caller()).isEqualTo("acme");
        assertThat(request.identity()).isEqualTo(Identity.AUTHENTICATED);
    }

    @Test
    void aPeerThatIsNoAddressIsUnknownAndClaimed() {
        Request request = by("address", null, List.of(), new Door("/run/app.sock", Map.of(), null));
        assertThat(request.caller()).isEqualTo("unknown");
        assertThat(request.identity()).isEqualTo(Identity.CLAIMED);
    }

    @Test
    void aLongHeaderIsCutToABoundedCaller() {
        Door door = new Door("203.0.113.9", Map.of("X-Api-Key", List.of("k".repeat(8192))), null);
        assertThat(by("header:X-Api-Key", null, List.of(), door).caller().length())
                .isLessThanOrEqualTo(128);
    }

    @ParameterizedTest
    @ValueSource(strings = {"header:", "cookie", "", "Principal"})
    void whatIsNoSourceIsRefused(String caller) {
        assertThatThrownBy(() -> CallerExtraction.of(caller, null, List.of(), 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("header:NAME, principal or address");
    }
}

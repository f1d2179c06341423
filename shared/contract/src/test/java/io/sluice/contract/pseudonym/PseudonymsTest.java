package io.sluice.contract.pseudonym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Addresses;
import io.sluice.contract.policy.Attribute;
import io.sluice.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PseudonymsTest {
    private static final Attribute CALLER = Attribute.parse("caller");
    private static final Attribute IP = Attribute.parse("ip");

    @TempDir
    Path folder;

    /** The values come from Python's hmac module. */
    @Test
    void caller_isTheFirst128BitsOfTheHmac() throws IOException {
        PseudonymKey key = keys("k1: " + secret(1)).keys().get(0);
        assertThat(key.caller("acme")).isEqualTo("p.k1.k4txTUl1u3BAY9CaCrjGzA");
        assertThat(key.ip("203.0.113.9")).isEqualTo("ad69:9f06:9955:ba48:3a1e:3d0d:eb82:eac7");
        assertThat(key.ip("2001:db8::7")).isEqualTo("ad7b:4d5a:bfff:e915:33d9:f911:d1d:517c");
    }

    @Test
    void unknownCallers_stayUnknown() throws IOException {
        assertThat(keys("k1: " + secret(1)).keys().get(0).caller("unknown")).isEqualTo("unknown");
    }

    @Test
    void anotherKey_givesOtherPseudonyms() throws IOException {
        Pseudonyms both = keys("# the new one", "k2: " + secret(2), "", "k1: " + secret(1));
        assertThat(both.current().id()).isEqualTo("k2");
        assertThat(both.former().id()).isEqualTo("k1");
        assertThat(both.of(CALLER, "acme"))
                .containsExactly(both.current().caller("acme"), both.former().caller("acme"))
                .doesNotHaveDuplicates();
    }

    @Test
    void addressesOfOneIpv6Network_shareANetworkAndDiffer() throws IOException {
        PseudonymKey key = keys("k1: " + secret(1)).keys().get(0);
        String one = key.ip("2001:db8::1");
        String two = key.ip("2001:db8::2");
        assertThat(one).isNotEqualTo(two);
        assertThat(Addresses.prefix(one, 32, 64)).isEqualTo(Addresses.prefix(two, 32, 64));
        assertThat(Addresses.prefix(one, 32, 64)).isNotEqualTo(Addresses.prefix(key.ip("2001:db8:0:1::1"), 32, 64));
        assertThat(Addresses.canonical(one)).isEqualTo(one);
    }

    @Tag(Seeds.TAG)
    @Test
    void manyAddresses_haveDifferentNetworks() throws IOException {
        PseudonymKey key = keys("k1: " + secret(1)).keys().get(0);
        Set<String> networks = new HashSet<>();
        int addresses = Seeds.of(16_384, 65_536);
        for (int i = 0; i < addresses; i++) {
            networks.add(Addresses.prefix(key.ip("10.7." + (i >> 8) + "." + (i & 255)), 32, 64));
        }
        assertThat(networks).hasSize(addresses);
    }

    @Test
    void pseudonymsOfPseudonyms_areThemselves() throws IOException {
        Pseudonyms keys = keys("k1: " + secret(1));
        for (Attribute attribute : new Attribute[] {CALLER, IP}) {
            String once = keys.of(attribute, "203.0.113.9").get(0);
            assertThat(keys.of(attribute, once)).containsExactly(once);
        }
        String network = keys.of(IP, "2001:db8::/64").get(0);
        assertThat(network).endsWith("::/64");
        assertThat(keys.of(IP, network)).containsExactly(network);
        assertThat(Addresses.prefix(keys.of(IP, "2001:db8::7").get(0), 32, 64)).isEqualTo(network);
    }

    /** A client could otherwise be charged as another one, whose pseudonym it knows. */
    @Test
    void requestsThatNameAPseudonym_getAnotherOne() throws IOException {
        PseudonymKey key = keys("k1: " + secret(1)).keys().get(0);
        assertThat(key.caller(key.caller("acme"))).isNotEqualTo(key.caller("acme"));
        assertThat(key.ip(key.ip("203.0.113.9"))).isNotEqualTo(key.ip("203.0.113.9"));
    }

    @Test
    void otherAttributes_stay() throws IOException {
        assertThat(keys("k1: " + secret(1)).of(Attribute.parse("route"), "/orders"))
                .containsExactly("/orders");
        assertThat(Pseudonyms.NONE.of(CALLER, "acme")).containsExactly("acme");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k1                  | :1: allowed is ID: KEY",
                "K1: c2VjcmV0        | :1: allowed is ID: KEY",
                "k1: c2VjcmV0        | :1: the key has 6 bytes, allowed are 32 or more",
                "k1: c2Vj*cmV0       | :1: the key is not Base64",
                "''                  | : found 0 keys, allowed are one, or the new one and the one before",
            })
    void wrongFiles_areNamedWithoutTheirKey(String line, String problem) {
        assertThatThrownBy(() -> keys(line))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(folder.resolve("keys") + problem)
                .hasMessageNotContainingAny("c2VjcmV0", "c2Vj*cmV0");
    }

    @Test
    void threeKeysOrOneTwice_areRefused() {
        assertThatThrownBy(() -> keys("a: " + secret(1), "b: " + secret(2), "c: " + secret(3)))
                .hasMessageContaining("found 3 keys");
        assertThatThrownBy(() -> keys("a: " + secret(1), "a: " + secret(2)))
                .hasMessageEndingWith(":2: key a stands there twice");
    }

    @Test
    void aHugeFile_isNotRead() {
        assertThatThrownBy(() -> keys("#".repeat(5_000))).hasMessageContaining("found 5001 bytes, allowed are 4096");
    }

    private Pseudonyms keys(String... lines) throws IOException {
        return Pseudonyms.read(Files.writeString(folder.resolve("keys"), String.join("\n", lines) + "\n"));
    }

    private static String secret(int seed) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) seed);
        return Base64.getEncoder().encodeToString(secret);
    }
}

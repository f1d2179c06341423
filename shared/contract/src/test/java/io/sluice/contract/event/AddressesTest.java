package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.Node;
import io.sluice.contract.json.Vectors;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

    @ParameterizedTest
    @MethodSource("addresses")
    void aTextIsTheAddressOfTheGoldenVector(Node.Mapping vector) {
        String address = Addresses.canonical(Vectors.text(vector, "text"));

        assertThat(address).isEqualTo(Vectors.optional(vector, "address"));
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void anAddressLiesInTheNetworkOfTheGoldenVector(Node.Mapping vector) {
        String prefix = Addresses.prefix(
                Vectors.text(vector, "ip"), Vectors.number(vector, "v4bits"), Vectors.number(vector, "v6bits"));

        assertThat(prefix).isEqualTo(Vectors.text(vector, "prefix"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everySpellingOfAnAddressMeansTheBytesThatJavaReads(long seed) throws UnknownHostException {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = randomAddress(random);
            InetAddress address = InetAddress.getByAddress(bytes);

            String canonical = Addresses.canonical(address.getHostAddress());

            assertThat(canonical).isNotNull();
            assertThat(InetAddress.getByName(canonical)).isEqualTo(address);
            assertThat(Addresses.canonical(canonical)).isEqualTo(canonical);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsReadAsAddressReadsTheSameAgainAndNothingThrows(long seed) {
        Random random = new Random(seed);
        String alphabet = "0123456789abcdefF::::....[]%/ ,x";
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(24); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }

            String canonical = Addresses.canonical(text.toString());

            if (canonical != null) {
                assertThat(Addresses.canonical(canonical)).isEqualTo(canonical);
            }
        }
    }

    /** With runs of zeros, since those are what the short form is about; never IPv4 inside IPv6. */
    private static byte[] randomAddress(Random random) {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? 4 : 16];
        random.nextBytes(bytes);
        for (int i = 2; i + 1 < bytes.length && bytes.length == 16; i += 2) {
            if (random.nextBoolean()) {
                bytes[i] = 0;
                bytes[i + 1] = 0;
            }
        }
        bytes[0] = 0x20;
        return bytes;
    }

    static Stream<Node.Mapping> addresses() {
        return Vectors.of("addresses");
    }

    static Stream<Node.Mapping> prefixes() {
        return Vectors.of("prefixes");
    }
}

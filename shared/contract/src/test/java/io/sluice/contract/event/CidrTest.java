package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0, true",
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 9.255.255.255, false",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/8, 10.1.0.0/16, true",
        "10.0.0.0/8, 10.0.0.0/8, true",
        "10.0.0.0/8, 10.0.0.0/7, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "203.0.113.9, 203.0.113.9, true",
        "203.0.113.9, 203.0.113.8, false",
        "203.0.113.9/32, 203.0.113.9, true",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::, false",
        "2001:db8::/32, 2001:db8:1:2::/64, true",
        "2001:db8::/96, 2001:db8::ffff:ffff, true",
        "2001:db8::/96, 2001:db8::1:0:0, false",
        "2001:db8::1, 2001:db8::1, true",
        "2001:db8::1, 2001:db8::/64, false",
        "::/0, 203.0.113.9, false",
        "::/0, ::1, true",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "10.0.0.0/8, junk, false",
        "10.0.0.0/8, '', false",
        "2001:db8::/32, 2001:db8:::, false"
    })
    void aNetworkContainsItsAddressesAndNetworks(String network, String address, boolean inside) {
        assertThat(Cidr.parse(network).contains(address)).isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/a",
                "::/129",
                "10.0.0/8",
                "1::2::3/8"
            })
    void whatIsNoNetworkIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Cidr.parse(text));
    }

    @Test
    void bitsBehindTheNetworkAreRefusedWithTheNetworkThatMayBeMeant() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cidr.parse("2001:db8::1/64"))
                .withMessageContaining("2001:db8::/64");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void anAddressLiesInTheNetworkThatItsPrefixNames(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            boolean v4 = random.nextBoolean();
            String address = v4
                    ? AddressText.textOfV4(random.nextLong() & 0xffffffffL)
                    : AddressText.textOfV6(random.nextLong(), random.nextLong());
            int bits = random.nextInt(v4 ? 33 : 129);

            Cidr network = Cidr.parse(Addresses.prefix(address, bits, bits));

            assertThat(network.contains(address)).isTrue();
            assertThat(network.bits()).isEqualTo(bits);
            assertThat(Cidr.parse(network.toString())).isEqualTo(network);
        }
    }
}

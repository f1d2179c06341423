package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Seeds.TAG)
class FuzzedAddressesTest {
    private static List<byte[]> texts(String... texts) {
        return Stream.of(texts)
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.ISO_8859_1);
    }

    @Test
    void networks() {
        int refused = Fuzzing.run(
                "cidr",
                texts("10.0.0.0/8", "2001:db8::/32", "::ffff:10.0.0.0/104", "192.0.2.1"),
                IllegalArgumentException.class,
                input ->
                        assertThat(Cidr.parse(text(input)).contains("10.1.2.3")).isIn(true, false));
        assertThat(refused).isPositive();
    }

    @Test
    void addresses() {
        int refused = Fuzzing.run(
                "address",
                texts("203.0.113.9", "[2001:db8::1]:443", "fe80::1%eth0", "::ffff:192.0.2.1", "203.0.113.9:8080"),
                NeverThrown.class,
                input -> {
                    String ip = Addresses.canonical(text(input));
                    if (ip != null) {
                        assertThat(Addresses.prefix(ip, 24, 64)).isNotEmpty();
                        assertThat(Addresses.canonical(ip)).isEqualTo(ip);
                    }
                });
        assertThat(refused).isZero();
    }

    @Test
    void routes() {
        RouteNormalizer routes = new RouteNormalizer(List.of("/orders/{order}/lines/{line}", "/users/{user}"));
        int refused = Fuzzing.run(
                "route",
                texts("/orders/17/lines/3?x=1#y", "http://host/users/8f14e45f", "*", "//a//b/../%2e%2e/", "/é/\u0000"),
                NeverThrown.class,
                input -> assertThat(routes.normalize(text(input)).length()).isLessThan(10_000));
        assertThat(refused).isZero();
    }

    private static final class NeverThrown extends Exception {
        private static final long serialVersionUID = 1;
    }
}

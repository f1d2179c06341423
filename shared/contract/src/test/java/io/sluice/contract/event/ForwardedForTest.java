package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proxies are 10.0.0.0/8 and 2001:db8:aa::/48; header lines are separated by a bar. */
class ForwardedForTest {
    private static final ForwardedFor PROXIES =
            new ForwardedFor(List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("2001:db8:aa::/48")));

    @ParameterizedTest(name = "{0} with [{1}] is {2}")
    @CsvSource(
            nullValues = "none",
            delimiter = ';',
            value = {
                // no proxy in between, or no trusted one: the header proves nothing
                "203.0.113.9; none; 203.0.113.9",
                "203.0.113.9; 198.51.100.1; 203.0.113.9",
                "203.0.113.9; 10.0.0.1; 203.0.113.9",
                "203.0.113.9; 198.51.100.1, 10.0.0.1; 203.0.113.9",
                "2001:db8:bb::1; 198.51.100.1; 2001:db8:bb::1",
                // one proxy
                "10.0.0.1; none; 10.0.0.1",
                "10.0.0.1; ''; 10.0.0.1",
                "10.0.0.1; '  '; 10.0.0.1",
                "10.0.0.1; 198.51.100.1; 198.51.100.1",
                "10.0.0.1; ' 198.51.100.1 '; 198.51.100.1",
                "10.0.0.1:55555; 198.51.100.1; 198.51.100.1",
                "::ffff:10.0.0.1; 198.51.100.1; 198.51.100.1",
                "2001:db8:aa::7; 198.51.100.1; 198.51.100.1",
                "[2001:db8:aa::7]:443; 2001:DB8:0:0:1::1; 2001:db8::1:0:0:1",
                // several proxies
                "10.0.0.1; 198.51.100.1, 10.0.0.2; 198.51.100.1",
                "10.0.0.1; 198.51.100.1,10.0.0.3,10.0.0.2; 198.51.100.1",
                "10.0.0.1; 198.51.100.1 , 2001:db8:aa::2; 198.51.100.1",
                "10.0.0.1; 198.51.100.1 | 10.0.0.2; 198.51.100.1",
                "10.0.0.1; 198.51.100.1 | 10.0.0.3, 10.0.0.2; 198.51.100.1",
                "10.0.0.1; 198.51.100.1, 10.0.0.3 | ; 198.51.100.1",
                "10.0.0.1; 10.0.0.4, 10.0.0.3, 10.0.0.2; 10.0.0.4",
                // what the client wrote on the left is never looked at
                "10.0.0.1; 192.0.2.66, 198.51.100.1; 198.51.100.1",
                "10.0.0.1; 192.0.2.66, 198.51.100.1, 10.0.0.2; 198.51.100.1",
                "10.0.0.1; 10.9.9.9, 198.51.100.1; 198.51.100.1",
                "10.0.0.1; junk, 198.51.100.1; 198.51.100.1",
                "10.0.0.1; ', , ,198.51.100.1'; 198.51.100.1",
                "10.0.0.1; 192.0.2.66 | 198.51.100.1; 198.51.100.1",
                // ports, brackets, zones, mapped addresses
                "10.0.0.1; 198.51.100.1:61234; 198.51.100.1",
                "10.0.0.1; [2001:db8::5]; 2001:db8::5",
                "10.0.0.1; [2001:db8::5]:61234; 2001:db8::5",
                "10.0.0.1; 2001:db8::5; 2001:db8::5",
                "10.0.0.1; fe80::1%eth0; fe80::1",
                "10.0.0.1; ::ffff:198.51.100.1; 198.51.100.1",
                "10.0.0.1; 198.51.100.1, ::ffff:10.0.0.2; 198.51.100.1",
                // malformed where it has to be believed: unknown
                "10.0.0.1; junk; none",
                "10.0.0.1; unknown; none",
                "10.0.0.1; 198.51.100.1, unknown; none",
                "10.0.0.1; 198.51.100.1,; none",
                "10.0.0.1; ','; none",
                "10.0.0.1; 198.51.100.1, ,10.0.0.2; none",
                "10.0.0.1; ',10.0.0.2'; none",
                "10.0.0.1; 198.51.100.256; none",
                "10.0.0.1; 198.51.100.1:99999; none",
                "10.0.0.1; 198.51.100.1 10.0.0.2; none",
                "10.0.0.1; for=198.51.100.1; none",
                "10.0.0.1; <script>; none",
                "10.0.0.1; 0x7f000001; none",
                // the peer is no address
                "unix:; 198.51.100.1; none",
                "''; 198.51.100.1; none"
            })
    void theClientIsTheFirstAddressFromTheRightThatIsNoProxyOfOurs(String peer, String headers, String client) {
        List<String> lines = headers == null ? List.of() : Arrays.asList(headers.split("\\|", -1));

        assertThat(PROXIES.client(peer, lines)).isEqualTo(client);
    }

    @Test
    void withoutTrustedProxiesTheHeaderIsNeverBelieved() {
        ForwardedFor untrusting = new ForwardedFor(List.of());

        assertThat(untrusting.client("10.0.0.1", List.of("198.51.100.1"))).isEqualTo("10.0.0.1");
    }

    @Test
    void aChainAsLongAsTheBoundIsFollowed() {
        String hops = "198.51.100.1" + ",10.0.0.2".repeat(31);

        assertThat(PROXIES.client("10.0.0.1", List.of(hops))).isEqualTo("198.51.100.1");
    }

    @Test
    void aChainLongerThanTheBoundIsNotBelieved() {
        String hops = "198.51.100.1" + ",10.0.0.2".repeat(32);

        assertThat(PROXIES.client("10.0.0.1", List.of(hops))).isNull();
    }

    @Test
    void aHugeHeaderOfOneEntryIsNotBelieved() {
        assertThat(PROXIES.client("10.0.0.1", List.of("1".repeat(8192)))).isNull();
    }

    @Test
    void aHugeHeaderOfManyEntriesIsReadNoFurtherThanTheFirstStranger() {
        String header = String.join(",", Collections.nCopies(1000, "junk")) + ",198.51.100.1";

        assertThat(PROXIES.client("10.0.0.1", List.of(header))).isEqualTo("198.51.100.1");
    }
}

package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.sluice.agent.Request;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorReaderTest {
    @TempDir
    Path folder;

    @Test
    void givenEveryAttributeWhenReadThenTheyAreTheRequestsAndTheRestAreLabels() throws Exception {
        RateLimitDescriptor descriptor = descriptor(
                "caller=acme", "remote_address=203.0.113.9", "route=/orders/4711?x=1", "method=get", "plan=gold");

        Request request =
                read("identity: authenticated", to("billing", descriptor)).get(0);

        assertThat(request.service()).isEqualTo("billing");
        assertThat(request.caller()).isEqualTo("acme");
        assertThat(request.identity()).isEqualTo(Identity.AUTHENTICATED);
        assertThat(request.ip()).isEqualTo("203.0.113.9");
        assertThat(request.route()).isEqualTo("/orders/{id}");
        assertThat(request.method()).isEqualTo("GET");
        assertThat(request.labels()).containsExactly(Map.entry("plan", "gold"));
    }

    @Test
    void givenSeveralDescriptorsWhenReadThenEachIsARequestInTheirOrder() throws Exception {
        List<Request> requests =
                read("", to("orders", descriptor("caller=acme"), descriptor("caller=globex", "service=stock")));

        assertThat(requests).extracting(Request::caller).containsExactly("acme", "globex");
        assertThat(requests).extracting(Request::service).containsExactly("orders", "stock");
    }

    @Test
    void givenOnlyAnAddressWhenReadThenItsNetworkIsTheCaller() throws Exception {
        Request request =
                read("", to("orders", descriptor("ip=2001:db8:1:2:3:4:5:6"))).get(0);

        assertThat(request.caller()).isEqualTo("2001:db8:1:2::/64");
        assertThat(request.identity()).isEqualTo(Identity.NETWORK);
    }

    @ParameterizedTest
    @CsvSource({
        "'', authenticated, CLAIMED",
        "identity: authenticated, authenticated, AUTHENTICATED",
        "identity: authenticated, claimed, CLAIMED",
        "identity: network, authenticated, NETWORK",
    })
    void givenAnIdentityWhenReadThenTheWeakerOfItAndTheSettingsWins(String agent, String said, Identity identity)
            throws Exception {
        Request request = read(agent, to("orders", descriptor("caller=acme", "identity=" + said)))
                .get(0);

        assertThat(request.identity()).isEqualTo(identity);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | authenticated | NETWORK",
                "caller: address | authenticated | NETWORK",
                "caller: address | claimed | CLAIMED",
                "caller: address, identity: authenticated | authenticated | NETWORK",
                "caller: address, identity: claimed | authenticated | CLAIMED",
                "caller: principal, identity: claimed | authenticated | NETWORK",
            })
    void address_isOfTheIdentityThatOtherDoorsGiveIt(String agent, String told, Identity identity) throws Exception {
        Request request = read(agent, to("orders", descriptor("remote_address=203.0.113.9", "identity=" + told)))
                .get(0);

        assertThat(request.identity()).isEqualTo(identity);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plan=gold | descriptor 1 has no caller",
                "caller=acme;caller=globex | has a key twice",
                "ip=203.0.113.9;remote_address=203.0.113.9 | has a key twice",
                "caller=a;=x | an entry without a key",
                "caller=a;identity=certain | authenticated, network or claimed",
            })
    void givenWhatIsNotUnderstoodWhenReadThenItIsRefusedWithTheReason(String entries, String reason) {
        RateLimitRequest request = to("orders", descriptor(entries.split(";")));

        assertThatThrownBy(() -> read("", request))
                .isInstanceOf(UnreadableCheckException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "caller=;ip=203.0.113.9, 203.0.113.9, NETWORK",
        "caller=, unknown, CLAIMED",
        "ip=nonsense, unknown, CLAIMED",
        "caller=acme;ip=nonsense;route=;plan=;service=, acme, AUTHENTICATED",
    })
    void givenWhatAClientCanBringAboutWhenReadThenItIsReadAndNotRefused(
            String entries, String caller, Identity identity) throws Exception {
        Request request = read("identity: authenticated", to("orders", descriptor(entries.split(";"))))
                .get(0);

        assertThat(request.caller()).isEqualTo(caller);
        assertThat(request.identity()).isEqualTo(identity);
        assertThat(request.service()).isEqualTo("orders");
        assertThat(request.labels()).isEmpty();
    }

    @Test
    void givenWhatOnlyOtherServersDoWhenReadThenItIsRefusedAndNotLeftOut() {
        RateLimitDescriptor acme = descriptor("caller=acme");
        RateLimitDescriptor limited = acme.toBuilder()
                .setLimit(RateLimitDescriptor.RateLimitOverride.newBuilder().setRequestsPerUnit(1))
                .build();
        RateLimitDescriptor absurd =
                acme.toBuilder().setHitsAddend(UInt64Value.of(-1)).build();

        assertRefused(to("", acme), "domain is empty");
        assertRefused(to("orders"), "found 0 descriptors");
        assertRefused(to("orders", limited), "brings a limit");
        assertRefused(to("orders", absurd), "has a hits_addend of 18446744073709551615: 0 to ");
        assertRefused(to("orders", descriptor("caller=acme", "sluice_charge=all")), "sluice_charge must be used");
    }

    @ParameterizedTest
    @CsvSource({"63, true", "64, true", "65, false"})
    void givenManyDescriptorsWhenReadThenTheirNumberIsBounded(int count, boolean allowed) throws Exception {
        RateLimitRequest.Builder request = to("orders").toBuilder();
        for (int i = 0; i < count; i++) {
            request.addDescriptors(descriptor("caller=c" + i));
        }

        if (allowed) {
            assertThat(read("", request.build())).hasSize(count);
        } else {
            assertRefused(request.build(), "found 65 descriptors");
        }
    }

    private void assertRefused(RateLimitRequest request, String reason) {
        assertThatThrownBy(() -> read("", request))
                .isInstanceOf(UnreadableCheckException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void givenHitsAddendWhenReadThenItIsTheCostAndTheDescriptorsOwnComesFirst() throws Exception {
        RateLimitDescriptor acme = descriptor("caller=acme");
        RateLimitDescriptor none =
                acme.toBuilder().setHitsAddend(UInt64Value.of(0)).build();
        RateLimitDescriptor used = descriptor("caller=acme", "sluice_charge=used").toBuilder()
                .setHitsAddend(UInt64Value.of(1_234_567_890_123L))
                .build();
        RateLimitRequest.Builder request = to("orders", acme, none, used).toBuilder();

        assertThat(reader("").read(request.build(), true))
                .extracting(Check::cost)
                .containsExactly(1L, 0L, 1_234_567_890_123L);
        request.setHitsAddend(-1);
        List<Check> checks = reader("").read(request.build(), true);
        assertThat(checks).extracting(Check::cost).containsExactly(4_294_967_295L, 0L, 1_234_567_890_123L);
        assertThat(checks).extracting(Check::used).containsExactly(false, false, true);
        assertThat(checks.get(2).request().labels()).isEmpty();
    }

    private List<Request> read(String agent, RateLimitRequest request) throws Exception {
        return reader(agent).read(request, true).stream().map(Check::request).toList();
    }

    private DescriptorReader reader(String agent) throws Exception {
        Path file = Files.writeString(folder.resolve("sluice.yml"), "agent: { service: orders, " + agent + " }");
        return new DescriptorReader(SluiceSettings.read(file, Map.of()).agent(), new RouteNormalizer(List.of()));
    }

    static RateLimitRequest to(String domain, RateLimitDescriptor... descriptors) {
        return RateLimitRequest.newBuilder()
                .setDomain(domain)
                .addAllDescriptors(List.of(descriptors))
                .build();
    }

    static RateLimitDescriptor descriptor(String... entries) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (String entry : entries) {
            int equal = entry.indexOf('=');
            descriptor.addEntries(RateLimitDescriptor.Entry.newBuilder()
                    .setKey(entry.substring(0, equal))
                    .setValue(entry.substring(equal + 1)));
        }
        return descriptor.build();
    }
}

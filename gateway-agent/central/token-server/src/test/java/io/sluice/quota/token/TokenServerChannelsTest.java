package io.sluice.quota.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.InternalChannelz;
import io.grpc.InternalChannelz.ChannelStats;
import io.grpc.InternalInstrumented;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenServerChannelsTest {
    private static final String SERVER = "channels.invalid:1";

    /** Returns the channels to the server, which no other test uses. */
    private static List<InternalInstrumented<ChannelStats>> channels() {
        return InternalChannelz.instance().getRootChannels(0, 1_000).channels.stream()
                .filter(channel -> channel.toString().contains(SERVER))
                .toList();
    }

    @Test
    void ipv6Addresses_haveChannels() {
        TokenServerProvider provider = new TokenServerProvider();

        provider.create(Map.of("servers", "[2001:db8::1]:8482, [::1]:8482")).close();

        assertThatThrownBy(() -> provider.create(Map.of("servers", "[::1]:65536")))
                .hasMessageStartingWith("agent.quota.token-server.servers: found [::1]:65536, allowed is HOST:PORT");
    }

    @Test
    void addressWithoutAChannel_closesTheChannelsOfEarlierOnes() {
        Map<String, String> settings = Map.of("servers", SERVER + ",no_host:1");

        assertThatThrownBy(() -> new TokenServerProvider().create(settings))
                .isInstanceOf(IllegalArgumentException.class);

        await().untilAsserted(() -> assertThat(channels()).isEmpty());
    }
}

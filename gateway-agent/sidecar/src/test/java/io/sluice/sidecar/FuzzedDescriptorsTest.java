package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.SluiceSettings;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Descriptors of a client that sends anything. */
@Tag(Seeds.TAG)
class FuzzedDescriptorsTest {
    @TempDir
    Path folder;

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    void descriptors_areRequestsOrRefused() throws Exception {
        SluiceSettings settings =
                SluiceSettings.read(Sidecars.settings(folder, Sidecars.TWO_AT_ONCE, "", ""), Map.of());
        DescriptorReader reader = new DescriptorReader(settings.agent(), new RouteNormalizer(List.of("/a/{b}")));
        List<byte[]> sound = List.of(
                to("orders", descriptor("caller=acme", "route=/a/17", "method=GET", "plan=gold"))
                        .toByteArray(),
                to("orders", descriptor("remote_address=203.0.113.9"), descriptor("identity=network", "ip=::1"))
                        .toByteArray());

        int refused = Fuzzing.run("descriptors", sound, Refused.class, input -> {
            try {
                List<Check> checks = reader.read(RateLimitRequest.parseFrom(input), true);
                assertThat(checks).isNotEmpty().doesNotContainNull();
            } catch (InvalidProtocolBufferException | UnreadableCheckException e) {
                throw new Refused();
            }
        });
        assertThat(refused).isPositive();
    }
}

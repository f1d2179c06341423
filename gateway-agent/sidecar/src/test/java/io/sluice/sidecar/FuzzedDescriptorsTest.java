package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.StatusRuntimeException;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.SluiceSettings;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
        var requests = new LenientMarshaller<>(RateLimitRequest.parser(), RateLimitRequest.getDescriptor());
        List<byte[]> sound = List.of(
                to("orders", descriptor("caller=acme", "route=/a/17", "method=GET", "plan=gold"))
                        .toByteArray(),
                to("orders", descriptor("remote_address=203.0.113.9"), descriptor("identity=network", "ip=::1"))
                        .toByteArray());

        int refused = Fuzzing.run("descriptors", sound, Refused.class, input -> {
            try {
                List<Check> checks = reader.read(requests.parse(new ByteArrayInputStream(input)), true);
                assertThat(checks).isNotEmpty().doesNotContainNull();
            } catch (StatusRuntimeException | UnreadableCheckException e) {
                // damaged fields, which are the work of a proxy; texts can be any bytes
                throw new Refused();
            }
        });
        assertThat(refused).isPositive();
    }

    @Test
    void valuesOfAnyBytes_areNeverRefused() throws Exception {
        var requests = new LenientMarshaller<>(RateLimitRequest.parser(), RateLimitRequest.getDescriptor());
        byte[] sound = to("orders", descriptor("caller=" + "#".repeat(40))).toByteArray();
        Random random = new Random(1);
        for (int round = 0; round < 1_000; round++) {
            byte[] input = sound.clone();
            for (int i = 0; i < input.length; i++) {
                input[i] = input[i] == '#' ? (byte) random.nextInt(256) : input[i];
            }

            RateLimitRequest read = requests.parse(new ByteArrayInputStream(input));

            String caller = read.getDescriptors(0).getEntries(0).getValue();
            byte[] sent = Arrays.copyOfRange(input, input.length - 40, input.length);
            assertThat(caller).isEqualTo(new String(sent, StandardCharsets.UTF_8));
        }
    }
}
